import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import type { Said } from '../../../../src/base/say';
import { atOnce } from '../../../../src/base/turns/steps';
import type { Example } from '../../../../src/dataset/example';
import { explain } from '../../../../src/probe/explain/explain';
import { metricOf } from '../../../../src/probe/metric';
import { hiddenCell } from '../../explain/planted';
import { wholePlan } from '../wholePlan';

/** The object covers the first column of 7×7 regions of 2×2 pixels, and the upper half of the second column's first region. */
const side = 14;
const polygons = [
  [0, 0, 2, 0, 2, side, 0, side],
  [2, 0, 4, 0, 4, 1, 2, 1],
];
const covered = 7 + 0.5;

const example = (id: string): Example => ({
  ...{ id, form: 'captions', row: 0, images: [{ name: `${id}.jpg` }], attributes: {} },
  captions: [{ text: 'A dog', role: 'caption', image: 0, field: 'caption' }],
});
const options = { regions: true };

describe('the share of influence where objects are', () => {
  let folder: string;
  const dataset = () => join(folder, 'captions.json');

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'captious-mass-'));
    const ids = Array.from({ length: 6 }, (_, i) => i);
    const annotations = ids.slice(0, 5).map((id) => ({
      ...{ id, image_id: id, category_id: 1, iscrowd: 0, area: 30, bbox: [0, 0, 4, side] },
      segmentation: polygons,
    }));
    const images = ids.map((id) => ({ id, file_name: `image-${id}.jpg`, width: side, height: side }));
    const categories = [{ id: 1, name: 'dog' }];
    writeFileSync(join(folder, 'instances.json'), JSON.stringify({ images, annotations, categories }));
  });
  after(() => rmSync(folder, { recursive: true }));

  /** `lost` is the influence of each hidden region. */
  function driven(lost: (cell: number) => number, given: Record<string, boolean> = options) {
    const shared = { dataset: 'captions', seed: 1, options: given, scores: ['image-text'] as const };
    const beside = explain.prepare!({ datasetPath: dataset(), options: given });
    const summary = explain.summary(shared);
    const kinds: string[] = [];
    for (const one of Array.from({ length: 6 }, (_, i) => example(`image-${i}`))) {
      const context = {
        ...{ ...shared, beside },
        image: () => ({
          ...{ kind: 'image' as const, transforms: [] },
          source: { name: one.images[0].name, path: '' },
        }),
      };
      const plan = wholePlan(explain, one, context);
      kinds.push(...explain.kinds!(plan));
      const scores = Float64Array.from(plan.wants, ({ left }) => {
        const cell = left.kind === 'image' ? hiddenCell(left) : undefined;
        return cell === undefined ? 1 : 1 - lost(cell);
      });
      for (const row of explain.measure(one, plan, scores, context, undefined)) summary.add(row);
    }
    const { metrics } = atOnce(summary.finish());
    const valueOf = (name: string) => metricOf(metrics, `explain.region.${name}`)?.value;
    return { kinds, valueOf, n: metricOf(metrics, 'explain.region.mass')?.n };
  }
  const isNear = (a: number | null | undefined, b: number) =>
    assert.ok(typeof a === 'number' && Math.abs(a - b) < 1e-12, `${a} is not ${b}`);

  it('equals the share of the image if all regions are alike', () => {
    const { valueOf, n, kinds } = driven(() => 0.5);
    isNear(valueOf('mass'), covered / 49);
    isNear(valueOf('area'), covered / 49);
    isNear(valueOf('beyondArea'), 0);
    // The last image has no object.
    assert.equal(n, 5);
    assert.equal(kinds.filter((kind) => kind === 'a region hidden').length, 5 * 49);
  });

  it('is the size of the influence that objects cover, whatever its sign', () => {
    // Region 0 is covered, region 1 half, region 2 not.
    const { valueOf } = driven((cell) => [3, -4, 1][cell] ?? 0);
    isNear(valueOf('mass'), (3 + 4 / 2) / 8);
    isNear(valueOf('beyondArea'), 5 / 8 - covered / 49);
  });

  it('has no value without an influence, or if nobody asks for it', () => {
    assert.equal(driven(() => 0).valueOf('mass'), undefined);
    assert.equal(driven(() => 1, {}).valueOf('mass'), undefined);
  });

  it('needs a file of objects', () => {
    assert.throws(
      () => explain.prepare!({ datasetPath: join(tmpdir(), 'captions.json'), options }),
      (error) => error instanceof CaptiousError && (error.what as Said).code === 'explain.noObjectsFile',
    );
  });
});
