import { english } from '../../base/english';
import { join } from 'node:path';
import { createBench } from '../../bench/createBench';
import { installFolder } from '../../base/install';
import { say } from '../../base/say';
import type { Allow, Evaluator } from '../../evaluator/evaluator';
import { openEvaluator } from '../../evaluator/open';
import { checkPython } from '../../evaluator/python/check';
import type { Item, Want } from '../../protocol/item';
import { type Command, text } from '../arguments';
import { allowing } from '../consent';
import { python, yes } from '../options';
import { log, print, printJson, table } from '../terminal';

/** A sample image with a true and a false caption. */
const sample = {
  image: '000000377575.jpg',
  right: 'A black poodle is leashed to a fire hydrant.',
  wrong: 'A black poodle is leashed to a bicycle.',
};

export const pythonCommand: Command = {
  name: 'python',
  summary: 'show the Python interpreter for evaluators in Python, and try an evaluator',
  usage: ['python [EVALUATOR]'],
  operands: {
    EVALUATOR:
      'the evaluator to try. Examples: python:./my_metric.py:Evaluator, open_clip:ViT-B-32?pretrained=./x.pt',
  },
  options: { python, yes, json: { describe: 'print one JSON value, and nothing else' } },
  notes: ['docs/python.md describes the methods of an evaluator in Python.'],
  examples: ['python', 'python python:./my_metric.py:Evaluator --python ./env'],

  async run({ positionals: [ref], values, signal }) {
    const asked = text(values, 'python');
    const allow = allowing(values.yes === true, signal);
    const setup = await checkPython({ asked }, { allow, signal });
    const tried = ref === undefined ? undefined : await tryOne(ref, { asked, allow, signal });
    if (values.json) {
      printJson({ ...setup, ...(tried === undefined ? {} : { evaluator: tried }) });
      return 0;
    }
    print(`Python ${setup.python}, ${setup.how}: ${setup.executable}`);
    if (setup.devices !== null) print(`torch computes on: ${setup.devices.join(', ')}`);
    if (setup.mismatch !== null) print(english(say('python.installMatchingBuild', ...setup.mismatch)));
    const packages = Object.entries(setup.packages).map(([name, version]) => [
      name,
      version ?? 'not installed',
    ]);
    print(`\n${table(['package', 'version'], packages)}`);
    if (tried === undefined) return 0;
    print(`\n${tried.name} scores ${tried.scores.join(', ')}`);
    for (const note of tried.notes) print(`note: ${note}`);
    print(
      `\n${table(
        ['sample', 'score'],
        tried.sample.map(({ pair, score }) => [pair, score]),
      )}`,
    );
    return 0;
  },
};

async function tryOne(
  ref: string,
  { asked, allow, signal }: { asked: string | undefined; allow: Allow; signal: AbortSignal },
) {
  const evaluator = await openEvaluator(ref, { python: { asked }, signal, onNotice: log, allow });
  const bench = createBench();
  try {
    const { name, kind, scores } = evaluator.info;
    const pairs = wantsOf(evaluator);
    const outcomes = await bench.scores(
      evaluator,
      pairs.map(({ want }) => want),
      signal,
    );
    return {
      ...{ name, kind, scores },
      sample: pairs.map(({ pair }, i) => {
        const outcome = outcomes[i];
        return { pair, score: outcome.ok ? outcome.value.toFixed(4) : english(outcome.problem) };
      }),
      notes: evaluator.info.notes.map(english),
    };
  } finally {
    await bench.close();
    await evaluator.close();
  }
}

function wantsOf({ info }: Evaluator): { pair: string; want: Want }[] {
  const path = join(installFolder(), 'samples', 'images', sample.image);
  const image: Item = { kind: 'image', source: { name: sample.image, path }, transforms: [] };
  const caption = (of: 'right' | 'wrong'): Item => ({ kind: 'text', text: sample[of] });
  return [
    ...(info.scores.includes('image-text')
      ? [
          { pair: `image with "${sample.right}"`, want: { left: image, right: caption('right') } },
          { pair: `image with "${sample.wrong}"`, want: { left: image, right: caption('wrong') } },
        ]
      : []),
    ...(info.scores.includes('text-text')
      ? [{ pair: 'the two captions', want: { left: caption('right'), right: caption('wrong') } }]
      : []),
  ];
}
