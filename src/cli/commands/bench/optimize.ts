import { mostApartOptimized, optimize, type Optimization } from '../../../audit/conversion/optimize';
import { type Command, needed, onePositional } from '../../arguments';
import { log, print, printJson } from '../../terminal';

export const optimizeCommand: Command = {
  name: 'optimize',
  summary: 'write a faster copy of a model folder, and compare it with the original',
  usage: ['optimize FOLDER --out DIR'],
  operands: { FOLDER: 'a model folder with ONNX graphs, or an installed encoder' },
  options: {
    out: { value: 'DIR', describe: 'new folder for the optimized graphs and the other files' },
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    'In the copy, matrix products of the same input, such as those of queries, keys and values, are one product. If the embedding is made from one token, such as the first or the end token, the last layer computes its projection and its MLP only for this token. ' +
      `DIR is written only if no cosine of 200 texts and 200 images differs by more than ${mostApartOptimized}. The speeds of both folders are measured in turns.`,
  ],
  examples: ['optimize ./my-clip --out ./faster'],

  async run(call) {
    const { values, signal } = call;
    const ref = onePositional(call, 'optimize', 'A model folder');
    const out = needed(values, 'out', 'Add --out DIR with a new folder.');
    log('rewriting the graphs, and comparing them with the original…');
    const done = await optimize(ref, { out, signal, onNotice: log });
    if (values.json) printJson(done);
    else {
      print(`${done.folder}: ready as --evaluator ${out}`);
      for (const line of optimizationLines(done)) print(line);
    }
    return 0;
  },
};

export function optimizationLines({ graphs, texts, images, apart, same, speed }: Optimization): string[] {
  const difference = same
    ? 'embeddings are equal to the bit'
    : `cosines differ by at most ${apart.toExponential(1)}`;
  return [
    ...graphs.map(({ graph, packed, cut }) => {
      const done = [
        ...(packed > 0 ? [`${packed} matrix products replace several of the same input`] : []),
        ...(cut > 0 ? [`${cut} matrix products compute one token of each item instead of all`] : []),
      ];
      return `${graph}: ${done.join(', ')}`;
    }),
    `checked on ${texts} texts and ${images} images: ${difference}`,
    ...(['texts', 'images'] as const).flatMap((kind) => {
      const found = speed[kind];
      if (found === undefined) return [];
      const [median, slowest, fastest] = [found.median, found.slowest, found.fastest].map((one) =>
        one.toFixed(2),
      );
      return [`${kind}: ${median} times as fast as the original (${slowest} to ${fastest} in 5 rounds)`];
    }),
  ];
}
