import { convert, mostApart } from '../../audit/conversion/convert';
import { english } from '../../base/english';
import { type Command, needed, onePositional, text } from '../arguments';
import { allowing } from '../consent';
import { python, yes } from '../options';
import { optimizationLines } from './bench/optimize';
import { log, print, printJson } from '../terminal';

export const convertCommand: Command = {
  name: 'convert',
  summary: 'convert a model of open_clip or transformers to ONNX, and compare the result with the original',
  usage: ['convert EVALUATOR --out DIR'],
  operands: {
    EVALUATOR: 'the model to convert. Examples: open_clip:ViT-B-32?pretrained=./x.pt, transformers:./folder',
  },
  options: {
    out: {
      value: 'DIR',
      describe: 'new folder for the graphs, the tokenizer and the preprocessing settings',
    },
    optimize: { describe: 'then optimize the graphs, as "captious optimize" does' },
    python,
    yes,
    json: { describe: 'print the result as one JSON value' },
  },
  notes: [
    `The export runs in your Python environment. It needs the packages of the model and the package onnx. Afterwards, both models embed the sample images and captions. DIR is written only if no embedding value and no cosine differs by more than ${mostApart}.`,
  ],
  examples: ['convert open_clip:ViT-B-32?pretrained=./x.pt --out ./vit-b-32 --python ./env'],

  async run(call) {
    const { values, signal } = call;
    const ref = onePositional(call, 'convert', 'An evaluator');
    const out = needed(values, 'out', 'Add --out DIR with a new folder.');
    log('exporting the model…');
    const done = await convert(ref, {
      out,
      optimized: values.optimize === true,
      python: { asked: text(values, 'python') },
      signal,
      allow: allowing(values.yes === true, signal),
      onNotice: log,
    });
    if (values.json) {
      printJson(done);
      return 0;
    }
    const { folder, texts, images, apart, length, optimization } = done;
    print(`${folder}: ready as --evaluator ${out}`);
    print(length === 'free' ? 'texts: any length' : `texts: padded to ${length} tokens`);
    print(
      `checked on ${texts} texts and ${images} images: embeddings differ by at most ${apart.embedding.toExponential(1)}, cosines by ${apart.cosine.toExponential(1)}`,
    );
    if (optimization === undefined) return 0;
    const isDone = typeof optimization === 'object' && 'graphs' in optimization;
    for (const line of isDone ? optimizationLines(optimization) : [english(optimization)]) print(line);
    return 0;
  },
};
