import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import sharp from 'sharp';
import { SeamMeter } from '../../../../src/evaluator/native/seamMeter';
import { emptyBitmap, maskOf } from '../../../../src/perturb/image/mask';
import type { ImageItem } from '../../../../src/protocol/item';

const width = 64;
const height = 48;

describe('the seams of a moved object', () => {
  let folder: string;
  const meter = new SeamMeter();

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-seams-'));
  });

  after(async () => {
    await meter.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('come from the child process with the variation of the surroundings', async () => {
    const object = emptyBitmap(width, height);
    for (let y = 18; y < 30; y++) object.data.fill(1, y * width + 14, y * width + 26);
    const image = async (name: string, colour: (x: number) => number): Promise<ImageItem> => {
      const data = Uint8Array.from({ length: width * height * 3 }, (_, i) =>
        colour(Math.floor(i / 3) % width),
      );
      const path = join(folder, name);
      await sharp(data, { raw: { width, height, channels: 3 } }).toFile(path);
      const move = { mask: maskOf(object), dx: 20, dy: 0, fill: 'patches', feather: 0, plain: 0.11 } as const;
      return { kind: 'image', source: { name, path }, transforms: [{ op: 'move', ...move }] };
    };
    const images = [
      await image('flat.png', (x) => 60 + x),
      await image('striped.png', (x) => (Math.floor(x / 4) % 2 === 0 ? 40 : 200)),
    ];
    const [flat, striped] = await meter.measure(images);
    assert.ok(flat.ok && striped.ok);
    assert.ok(flat.value.surroundings! < 1e-9);
    assert.ok(Math.abs(striped.value.surroundings! - 80 / 255) < 0.01, String(striped.value.surroundings));
  });
});
