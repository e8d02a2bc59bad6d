import { say, type Words } from '../../base/say';
import type { Described } from '../../protocol/python';
import type { PythonInfo } from './info';
import type { Inputs } from './inputs';
import type { Interpreter } from './interpreter';

/* Notes of a report about an evaluator in Python. */

/** The packages whose versions appear in the notes. The hash covers the versions of all imported packages. */
const notedPackages = [
  'torch',
  'torchvision',
  'transformers',
  'open_clip',
  'sentence_transformers',
  'torchmetrics',
  'timm',
  'numpy',
  'PIL',
];

/** How the evaluator runs, and a warning about half precision. */
export function ranBy({ python, versions, device, gpu, dtype }: Described, { argv }: Interpreter): Words[] {
  const packages = notedPackages.flatMap((name) =>
    versions[name] === undefined ? [] : [`${name} ${versions[name]}`],
  );
  const by = `${python} (${argv.join(' ')})`;
  const on = `${device}${gpu === undefined ? '' : ` (${gpu})`}${dtype === undefined ? '' : `, ${dtype}`}`;
  return [
    packages.length === 0 ? say('python.runBy', by, on) : say('python.runWith', by, packages.join(', '), on),
    ...(dtype === 'float16' || dtype === 'bfloat16' ? [say('python.computesInLowPrecision', dtype)] : []),
  ];
}

/** What the hash covers, and when the same run gives the same bits. */
export function guarantees(
  { weights }: PythonInfo,
  { unknown }: Inputs,
  texts: number,
  images: number,
  isLive: boolean,
): Words[] {
  return [
    ...(isLive ? [heldNote(weights !== undefined)] : hashNotes(weights, unknown)),
    say('python.fixedBatches', texts, images),
  ];
}

function hashNotes(weights: readonly string[] | undefined, unknown: string | undefined): Words[] {
  return [
    ...(unknown === undefined ? [] : [say('python.argumentNotHashed', unknown)]),
    weights === undefined ? say('python.weightsNotHashed') : say('python.hashCovers'),
  ];
}

/** What the hash of a live evaluator covers. `isKept`: whether its results are cached between runs. */
function heldNote(isKept: boolean): Words {
  return isKept ? say('python.liveObjectHashed') : say('python.liveObjectUnhashed');
}
