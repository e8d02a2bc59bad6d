import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const network = 'needs a network';
const suite = 'is a separate test suite, run by CI';
const python = 'needs Python with packages, and code of your own';
const gpu = 'needs a GPU; test/unit/cli/commands/bench/bench.test.ts runs it with a pretended provider';
const cluster = 'needs a cluster and your own data';
const shards = 'needs shards; test/system/audit/shard makes and merges them';
const model = 'needs a language model; test/unit/cli/mineLm.test.ts runs it with a test server';
const models = 'needs models; test/unit/audit/benchmark and test/unit/cli run it with answers';
const precisions = 'needs a model in two precisions; test/unit/audit/precision runs one';
const people = 'needs ratings by people, in the published files';

/** Commands in the docs that the test does not run, with the reason. */
export const unrun: Readonly<Record<string, string>> = {
  'captious mine samples/sugarcrepe.json --how lm --judge judge.evaluator.json --limit 3 --out generic.triplets.json --yes':
    model,
  'captious mine samples/sugarcrepe.json --how lm --judge judge.evaluator.json --out generic.triplets.json':
    model,
  'captious mine samples/captions.json --how paraphrases --judge judge.evaluator.json --out paraphrased.json':
    model,
  'captious mine social/social.jsonl --how paraphrases --judge judge.evaluator.json --out social/p1.json --yes':
    model,
  'python social.py social 5000': network,
  'captious audit social/p1.json --images social --probe prsm --evaluator clip-vit-base-patch32 --set prsm.groups=gender --out reports':
    network,
  'captious check sample reports/prsm.clip-vit-base-patch32.report.json --items P1=100': people,
  'captious mine samples/captions.json --how synonyms --judge judge.evaluator.json --out people.attributes.json':
    model,
  'npm ci': network,
  'npm run demo': 'installs dependencies; docs/cli.md runs "captious demo"',
  'npm test': suite,
  'npm run lint': suite,
  'npm run typecheck': suite,
  'npm run docs': 'writes into the repository; test/unit/cli/help.test.ts compares its output',
  'npm run schemas': 'writes into the repository; test/unit/editor/schemas.test.ts compares its output',
  'npm run test:e2e': suite,
  'npm run test:system': suite,
  'npm run test:package': suite,
  'npm run test:oracle': suite,
  'npm run test:papers': suite,
  'npm run test:python': suite,
  'npm run test:notebooks': suite,
  'npm run test:faults': suite,
  'npm run fuzz': suite,
  'npm run bench': suite,
  'npm run package': 'takes minutes; "npm run test:package" runs it',
  'code --install-extension out/packages/captious-linux-x64-0.2.0.vsix':
    'needs VS Code; test/package installs the file',
  'gh attestation verify captious-linux-x64-0.2.0.vsix --repo OWNER/REPOSITORY': network,
  'captious audit web.csv --images photos --evaluator starter --probe lgip': network,
  'captious audit swap_obj.json --probe sugarcrepe --evaluator starter,./clip,./siglip --images images --out reports':
    models,
  'captious benchmark swap_obj.json --reports reports --subset fewer.txt': models,
  'captious audit triplets.tsv --images images --probe visla --evaluator ./clip --precision int8 --confirm':
    precisions,
  'captious fetch clip-vit-base-patch32': network,
  'python3.11 -m venv .venv': network,
  '.venv/bin/pip install -r models/build/requirements.txt': network,
  '.venv/bin/python models/build/build.py': network,
  'captious convert "open_clip:ViT-B-32?pretrained=./x.pt" --out ./vit-b-32 --python ./env': python,
  'captious convert open_clip:ViT-B-32?pretrained=./x.pt --out ./vit-b-32 --python ./env': python,
  'captious python': 'needs Python',
  'captious python python:./my_metric.py': python,
  'captious python python:./my_metric.py:Evaluator --python ./env': python,
  'captious audit captions.json --probe lgip --evaluator "open_clip:ViT-B-32?pretrained=./weights.pt" --python ./env':
    python,
  'captious audit captions.json --probe lgip --evaluator python:./my_metric.py:Evaluator': python,
  'captious mcp data reports --allow-evaluator python:./my_metric.py:Evaluator': python,
  'captious bench captions.json --images images --evaluator clip-vit-base-patch32 --provider cuda': gpu,
  'captious bench captions.json --evaluator "open_clip:ViT-B-32?pretrained=./weights.pt" --provider cuda':
    gpu,
  'npm run package:python': 'takes a minute; "npm run test:package" makes the wheel and installs it',
  'pip install captious-0.2.0-py3-none-manylinux_2_28_x86_64.whl': network,
  'pip install out/packages/captious-0.2.0-py3-none-manylinux_2_28_x86_64.whl': network,
  'npm pack': 'packs the repository; test/package does it and installs the package',
  'npm install --global --ignore-scripts captious-0.2.0.tgz':
    'packs the repository; test/package does it and installs the package',
  'npm run test:slurm': suite,
  'npm run test:servers': suite,
  'captious merge reports': shards,
  'captious merge /scratch/a/reports /scratch/b/reports --out reports': shards,
  'captious estimate labels.csv scores.jsonl': 'needs labels of people; test/unit/cli runs it',
  'captious estimate reports/invariance.starter.ann.check.json reports/invariance.starter.bo.check.json reports/invariance.starter.report.json':
    'needs judgments of people; test/unit/cli runs it',
  'captious bestof reports/exploit.starter.report.json reports/exploit.clipscore_starter.report.json':
    'docs/probes/exploit.md runs it with the reports of a short audit',
  'captious scatter reports/lgip.*.report.json reports/human.*.report.json --x lgip.inv --y human.tauB --html scatter.html':
    people,
  'captious audit data.json --probe lgip,rococo --evaluator clip --out reports --shard 3/8': cluster,
  'python3 -m venv ./env': cluster,
  './env/bin/pip install captious-0.2.0-py3-none-manylinux_2_28_x86_64.whl': cluster,
  './env/bin/captious fetch clip-vit-base-patch32': cluster,
  'captious submit data.json --images images --probe lgip,visla --evaluator clip,siglip --shards 16 --out /shared/reports \\':
    cluster,
  '--engine slurm --partition gpu --account vision --time 2:00:00 --memory 8G --cpus 4 --gpus 1 --module cuda/12.4 --venv ./env --dry-run':
    cluster,
  '#!/bin/bash': cluster,
  'CUDA_VISIBLE_DEVICES=0,1,2,3 captious audit data.json --probe lgip --evaluator python:./metric.py:Metric --workers 4 --out reports --yes':
    cluster,
  'captious audit ExpertAnnotations.txt --probe human --evaluator clipscore:starter --images Flicker8k_Dataset':
    people,
  'captious audit pascal50s.json --probe human --evaluator cider --images VOC2010': people,
  'captious audit ratings.json --probe human,lgip --evaluator cider,starter --out reports': people,
  'captious scatter reports/*.report.json --x lgip.inv --y human.tauB --html scatter.html': people,
};

/** Writes the files that a command needs. */
export function inputs(command: string, folder: string): void {
  if (command.startsWith('captious run')) experiments(folder);
  if (command.startsWith('captious inspect')) parts(folder);
  for (const log of ['a.eval', 'b.eval'])
    if (command.includes(log)) cpSync(join(__dirname, '../fixtures/logs', log), join(folder, log));
  if (command.startsWith('captious parity')) port(folder);
  if (command.startsWith('captious optimize') && !existsSync(join(folder, 'my-clip')))
    cpSync(join(__dirname, '../fixtures/models/clip'), join(folder, 'my-clip'), { recursive: true });
  if (command.startsWith('captious trend') && !existsSync(join(folder, 'checkpoints'))) checkpoints(folder);
  for (const [name, make] of Object.entries(makers))
    if (
      command.split(/\s+/).slice(2).includes(name) &&
      !command.includes(`--out ${name}`) &&
      !existsSync(join(folder, name))
    )
      writeFileSync(join(folder, name), make(folder));
}

/** Writes reports of two evaluators that are named as checkpoints. */
function checkpoints(folder: string): void {
  const root = join(__dirname, '../..');
  for (const [step, model] of [
    [100, 'bert-cls'],
    [200, 'clip'],
  ]) {
    const evaluator = join(folder, `step_${step}`);
    cpSync(join(root, 'test/fixtures/models', String(model)), evaluator, { recursive: true });
    const dataset = join(folder, 'samples/triplets.tsv');
    const args = ['audit', dataset, '--probe', 'visla', '--evaluator', evaluator, '--limit', '30'];
    spawnSync(process.execPath, [join(root, 'dist/cli.js'), ...args, '--out', join(folder, 'checkpoints')], {
      env: { ...process.env, CAPTIOUS_HOME: join(folder, 'home') },
    });
  }
}

/** Writes a model folder that differs from the starter in one setting, and a table of scores. */
function port(folder: string): void {
  const path = join(folder, 'port');
  if (existsSync(path)) return;
  cpSync(join(__dirname, '../../models/starter'), path, { recursive: true });
  writeFileSync(join(path, 'captious.json'), JSON.stringify({ name: 'Port', prefix: 'A photo of ' }));
  const lines = readFileSync(join(folder, 'samples/captions.jsonl'), 'utf8').trim().split('\n');
  const scored = lines.map((line, i) => {
    const { image, caption } = JSON.parse(line) as { image: string; caption: string };
    return [image, `"${caption.replaceAll('"', '""')}"`, (i % 17) / 17].join(',');
  });
  writeFileSync(join(folder, 'scores.csv'), ['image,caption,score', ...scored].join('\n'));
}

/** Writes datasets of several files. */
function parts(folder: string): void {
  for (const name of ['data', 'shards', 'hub']) mkdirSync(join(folder, name), { recursive: true });
  const parquet = readFileSync(join(folder, 'samples/captions.parquet'));
  for (const part of ['0', '1']) writeFileSync(join(folder, `data/train-${part}.parquet`), parquet);
  const lines = readFileSync(join(folder, 'samples/captions.jsonl'), 'utf8').trim().split('\n');
  for (const [i, half] of [lines.slice(0, 100), lines.slice(100)].entries())
    for (const name of [`shards/part-00${i}.jsonl`, `hub/${i === 0 ? 'train' : 'test'}.jsonl`])
      writeFileSync(join(folder, name), `${half.join('\n')}\n`);
}

/** Writes the experiment files of the docs, with the samples as datasets. */
function experiments(folder: string): void {
  for (const [name, up] of [
    ['captious.json', ''],
    ['experiments/probes.yaml', '../'],
  ]) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    const experiment = {
      ...{ datasets: [`${up}samples/captions.json`], probes: ['lgip'], evaluators: ['starter'] },
      ...{ out: 'experiment', limit: 4, runs: { quick: { limit: 2 } } },
    };
    // JSON is YAML, too.
    writeFileSync(path, JSON.stringify(experiment));
  }
}

const csv = (...lines: string[]): (() => string) => {
  const text = `${lines.join('\n')}\n`;
  return () => text;
};
const image = '000000012280.jpg';

/** A choice between two captions. The shorter one is right in every other choice, and two choices are equal. */
function choice(i: number): string {
  const [a, b] = [`a dog ${i % 39} runs`, `a cat ${i % 39} sleeps here`];
  const [caption, negative] = i % 2 === 0 ? [a, b] : [b, a];
  return JSON.stringify({ image: `${i % 39}.jpg`, caption, negative });
}

const sugarcrepe = (folder: string): string => readFileSync(join(folder, 'samples/sugarcrepe.json'), 'utf8');

const makers: Record<string, (folder: string) => string> = {
  'add_obj.json': sugarcrepe,
  'swap_att.json': sugarcrepe,
  'swap_obj.json': sugarcrepe,
  'own.jsonl': csv(...Array.from({ length: 40 }, (_, i) => choice(i))),
  'web.csv': csv('image,caption', 'http://127.0.0.1:9/1.jpg,A woman with a suitcase'),
  'captions.csv': csv('photo,text', `${image},A woman with a suitcase`),
  'labels.csv': csv('photo,text,is_true', `${image},A woman with a suitcase,1`, `${image},A dog,0`),
  'foils.csv': csv('photo,text,is_foil', `${image},A woman with a suitcase,0`, `${image},A dog,1`),
  'options.csv': csv('photo,caption_a,caption_b,n', `${image},A woman with a suitcase,A dog,0`),
  'mine.json': (folder) => JSON.stringify(Object.fromEntries(candidates(folder, 0))),
  'theirs.json': (folder) => JSON.stringify(Object.fromEntries(candidates(folder, 1))),
  'mine.jsonl': (folder) => rows(candidates(folder, 0)),
  'theirs.jsonl': (folder) => rows(candidates(folder, 1)),
  'scores.jsonl': scores,
  'pairs.bo.triplets.json': (folder) =>
    readFileSync(join(folder, 'pairs.ann.triplets.json'), 'utf8').replaceAll('"ann"', '"bo"'),
  'vsr.jsonl': csv(
    JSON.stringify({ image, caption: 'The cat is in the basket.', relation: 'in', label: 1 }),
    JSON.stringify({
      image: '000000020247.jpg',
      caption: 'The cat is outside the basket.',
      relation: 'outside',
      label: 1,
    }),
  ),
  'judge.evaluator.json': () =>
    JSON.stringify({ kind: 'judge', endpoint: 'https://api.openai.com/v1', model: 'gpt-4o-mini' }),
  'output.jsonl': answers,
  'BiVLC_ViT-B-32.csv': csv(
    'image,caption,negative_caption,text_score_i0,text_score_i1,image_score_c0,image_score_c1',
    'a.jpg,A red car,A blue car,True,True,True,False',
    'b.jpg,A dog,A cat,True,False,True,True',
  ),
};

/** A batch API's answers to the requests that an earlier command in the docs wrote. */
function answers(folder: string): string {
  const requests = readFileSync(join(folder, 'batches/judge.captions.batch-1.requests-1.jsonl'), 'utf8');
  const body = { choices: [{ message: { content: '{"score": 7}' }, finish_reason: 'stop' }] };
  return requests
    .trim()
    .split('\n')
    .map((line) => (JSON.parse(line) as { custom_id: string }).custom_id)
    .map((custom_id) => `${JSON.stringify({ custom_id, response: { status_code: 200, body } })}\n`)
    .join('');
}

interface Coco {
  images: { id: number; file_name: string }[];
  annotations: { image_id: number; caption: string }[];
}

/** A caption of each sample image, as from a captioning system. */
function candidates(folder: string, which: number): [image: string, caption: string][] {
  const { images, annotations } = JSON.parse(
    readFileSync(join(folder, 'samples/captions.json'), 'utf8'),
  ) as Coco;
  return images.map(({ id, file_name }) => [
    file_name,
    annotations.filter(({ image_id }) => image_id === id)[which].caption,
  ]);
}

function rows(captions: readonly [image: string, caption: string][]): string {
  return captions.map(([image, caption]) => `${JSON.stringify({ image, caption })}\n`).join('');
}

/** One score per pair, computed from the length of the right caption. */
function scores(folder: string): string {
  const pairs = readFileSync(join(folder, 'pairs/lgip.captions.pairs.jsonl'), 'utf8').trimEnd().split('\n');
  return pairs
    .map((line) => JSON.parse(line) as { key: string; right: { text: string } })
    .map(({ key, right }) => `${JSON.stringify({ key, score: 1 / right.text.length })}\n`)
    .join('');
}
