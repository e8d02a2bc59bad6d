import { basename, join } from 'node:path';
import { prepareFolder } from '../../../audit/output/folder';
import { homeFolder } from '../../../base/files/home';
import type { EvaluatorInfo } from '../../../evaluator/evaluator';
import { fileInFolder, parseReference } from '../../../evaluator/reference';
import { npyOf } from '../../../repair/npy';
import type { Image } from '../../../repair/images';
import type { Repair } from '../../../repair/repair';
import { writeWhole } from '../../../report/output';
import type { RepairOrder } from './order';

/** Writes the new evaluator and a dataset of the held-out images. Returns the dataset's path. */
export async function saveRepair(
  made: Repair,
  info: EvaluatorInfo,
  { out, ref, path, seed, fit }: RepairOrder,
): Promise<string> {
  const { fittedOn, chosen } = made;
  await prepareFolder(out);
  for (const tower of ['text', 'image'] as const)
    await writeWhole(join(out, `${tower}.npy`), npyOf(made.maps[tower]));
  const file = {
    kind: 'repaired',
    name: `${info.name}, repaired`,
    encoder: parseReference(ref, { home: homeFolder() }).absolute,
    encoderSha256: info.sha256,
    text: './text.npy',
    image: './image.npy',
    fitted:
      `Fitted on ${fittedOn.length} images of ${basename(path)}, ${made.heldOut.length} held out; seed ${seed}, ` +
      `${Object.entries(fit)
        .map(([key, value]) => `${key} ${value}`)
        .join(', ')}; ${chosen.share} of the correction kept.`,
  };
  await writeWhole(join(out, fileInFolder), `${JSON.stringify(file, null, 1)}\n`);
  const heldOutPath = join(out, 'held-out.json');
  await writeWhole(heldOutPath, `${JSON.stringify(asCoco(made.heldOut), null, 1)}\n`);
  return heldOutPath;
}

/** A dataset of the held-out images in COCO's format. */
function asCoco(images: readonly Image[]): unknown {
  let caption = 0;
  return {
    images: images.map(({ name }, i) => ({ id: i + 1, file_name: name })),
    annotations: images.flatMap(({ captions }, i) =>
      captions.map((said) => ({ id: ++caption, image_id: i + 1, caption: said })),
    ),
  };
}
