import { english } from '../../../../src/base/english';
import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createBench } from '../../../../src/bench/createBench';
import { say } from '../../../../src/base/say';
import { openEvaluator } from '../../../../src/evaluator/open';
import { readReferences } from '../../../../src/evaluator/overlap/references';
import type { Item } from '../../../../src/protocol/item';
import { cleanUp, scratch } from '../../../unit/evaluator/fixtures';
import { needsPython } from '../../../unit/evaluator/pythonFixtures';

const table = `import importlib, json, os, runpy, sys
class Evaluator:
    def __init__(self, table=None, options=None):
        self.table = table or (options or {}).get("tables", [None])[0]
    def embed_texts(self, texts):
        if self.table is None: return [[1.0, 2.0]] * len(texts)
        path = self.table
        if os.path.isdir(path): path = os.path.join(path, "t.json")
        return [[float(json.load(open(path))), 1.0]] * len(texts)
    def info(self): return {"weights": []}
`;
const text = (said: string): Item => ({ kind: 'text', text: said });

describe('the stored results of an evaluator in Python', function () {
  needsPython(this);
  this.timeout(120_000);
  let folder: string;
  let home: string;
  beforeEach(() => {
    [folder, home] = [scratch(), scratch()];
    for (const [name, value] of [
      ['a', 1],
      ['b', 2],
    ] as const) {
      mkdirSync(join(folder, name));
      writeFileSync(join(folder, name, 't.json'), String(value));
    }
    writeFileSync(join(folder, 'm.py'), table);
  });
  afterEach(cleanUp);

  /** Embeds one text after another with the store of `home`. Returns the first number of each, and the notes. */
  async function run(query: string, said = ['x']): Promise<{ values: number[]; notes: string; key: string }> {
    const path = query.startsWith('{') ? join(folder, 'e.evaluator.json') : `python:${folder}/m.py${query}`;
    if (query.startsWith('{'))
      writeFileSync(path, JSON.stringify({ kind: 'python', file: './m.py', args: JSON.parse(query) }));
    const evaluator = await openEvaluator(path, { home, allow: (consent) => consent.give() });
    const bench = createBench({ store: join(home, 'store') });
    try {
      const values: number[] = [];
      for (const one of said) {
        const [outcome] = await bench.embeddings(evaluator, [text(one)]);
        assert.ok(outcome.ok, JSON.stringify(outcome));
        values.push(outcome.value[0]);
      }
      return { values, notes: evaluator.info.notes.map(english).join('\n'), key: evaluator.info.textKey! };
    } finally {
      await bench.close();
      await evaluator.close();
    }
  }

  it('depend on the content of files and folders that arguments name, at any depth', async () => {
    const at = (name: string): string => join(folder, name);
    const forms = (name: string): string[] => [
      `?table=${at(name)}/t.json`,
      `?table=${at(name)}`,
      `?table=${name}/t.json`,
      `?table=${name}`,
      `{"table":"./${name}/t.json"}`,
      `{"options":{"tables":["${at(name)}/t.json"]}}`,
      `{"options":{"tables":["${name}"]}}`,
    ];
    for (const [i, query] of forms('a').entries()) {
      assert.deepEqual((await run(query)).values, [1], query);
      const other = forms('b')[i];
      assert.deepEqual((await run(other)).values, [2], `${other}, not the result of ${query}`);
      writeFileSync(join(folder, 'a', 't.json'), '3');
      assert.deepEqual((await run(query)).values, [3], `${query} after a change`);
      writeFileSync(join(folder, 'a', 't.json'), '1');
    }
  });

  it('are used again if only the place and the times of such files change', async () => {
    const first = await run(`?table=${folder}/a/t.json`);
    utimesSync(join(folder, 'a', 't.json'), 1, 1);
    mkdirSync(join(folder, 'other'));
    symlinkSync(join(folder, 'a', 't.json'), join(folder, 'other', 't.json'));
    assert.equal((await run(`?table=${folder}/other/t.json`)).key, first.key);
    assert.notEqual((await run(`?table=${folder}/other`)).key, first.key);
  });

  it('depend on the references and on the batch sizes', async () => {
    writeFileSync(
      join(folder, 'm.py'),
      `class Evaluator:\n    images = "path"\n    def score(self, images, texts, references): return [0.5] * len(texts)\n    def info(self): return {"weights": []}\n`,
    );
    const file = join(folder, 'references.json');
    const key = async (said: string, batch: number): Promise<string | undefined> => {
      writeFileSync(file, JSON.stringify({ 'a.jpg': [said] }));
      const references = () => readReferences(file);
      const evaluator = await openEvaluator(`python:${folder}/m.py`, { home, references, batch });
      await evaluator.close();
      return evaluator.info.pairKey;
    };
    const before = await key('a dog', 8);
    assert.ok(before !== undefined);
    assert.equal(await key('a dog', 8), before);
    assert.notEqual(await key('a cat', 8), before);
    assert.notEqual(await key('a dog', 16), before);
  });

  it('are not kept if an argument names too many files, a loop or a device', async () => {
    const many = join(folder, 'many');
    mkdirSync(many);
    for (let i = 0; i <= 2000; i++) writeFileSync(join(many, String(i)), '');
    symlinkSync(folder, join(folder, 'a', 'loop'));
    for (const named of [many, join(folder, 'a'), '/dev/null']) {
      const evaluator = await openEvaluator(`python:${folder}/m.py?table=${named}`, { home });
      await evaluator.close();
      assert.equal(evaluator.kept, false, named);
      assert.match(evaluator.info.notes.map(english).join('\n'), /not cached between runs/);
    }
  });

  it('are not kept if an argument may name files that are not known', async () => {
    const keys: (string | undefined)[] = [];
    for (const named of [
      './a/*.json',
      './b/*.json',
      'a/*.json',
      './a/t',
      './a/t.json,./b/t.json',
      'file:./a/t.json',
    ]) {
      const evaluator = await openEvaluator(`python:${folder}/m.py?table=${named}`, { home });
      await evaluator.close();
      assert.equal(evaluator.kept, false, named);
      keys.push(evaluator.info.textKey);
    }
    assert.equal(new Set(keys).size, keys.length);
  });

  it('are not kept once an argument’s file has changed during the run', async () => {
    const query = `?table=${folder}/a/t.json`;
    const evaluator = await openEvaluator(`python:${folder}/m.py${query}`, { home });
    const bench = createBench({ store: join(home, 'store') });
    writeFileSync(join(folder, 'a', 't.json'), '7');
    const [outcome] = await bench.embeddings(evaluator, [text('x')]);
    assert.ok(outcome.ok && outcome.value[0] === 7);
    await bench.close();
    await evaluator.close();
    assert.match(evaluator.info.notes.map(english).join('\n'), /t\.json, which .* changed during the run/);
    writeFileSync(join(folder, 'a', 't.json'), '1');
    assert.deepEqual((await run(query)).values, [1]);
  });

  for (const [how, load] of [
    ['importlib', `importlib.import_module("hel" + "per").F`],
    ['runpy', `runpy.run_path(os.path.join(os.path.dirname(__file__), "helper.py"))["F"]`],
    [
      'exec',
      `(lambda n: (exec(compile(open(__file__[:-4] + "helper.py").read(), __file__[:-4] + "helper.py", "exec"), n), n["F"]))({})[1]`,
    ],
    [
      'another folder',
      `(sys.path.insert(0, os.path.join(os.path.dirname(__file__), "a")), importlib.import_module("far" + "off").F)[1]`,
    ],
  ])
    it(`of a batch that imports a module late are not kept: ${how}`, async () => {
      writeFileSync(
        join(folder, 'm.py'),
        `${table}\nclass Evaluator(Evaluator):\n    def embed_texts(self, texts):\n        return [[float(${load}) if t != "early" else 0.0, 1.0] for t in texts]\n`,
      );
      const write = (value: number): void => {
        for (const file of ['helper.py', 'a/faroff.py']) writeFileSync(join(folder, file), `F = ${value}\n`);
      };
      write(1);
      const first = await run('', ['early', 'late', 'later']);
      assert.deepEqual(first.values, [0, 1, 1]);
      assert.match(first.notes, /does not cover (helper|faroff)\.py.*not cached/s);
      write(2);
      assert.deepEqual((await run('', ['early', 'late', 'later'])).values, [0, 2, 2]);
    });

  it('are not made by a module that changed after its hash entered the key', async () => {
    writeFileSync(join(folder, 'helper.py'), 'F = 1\n');
    writeFileSync(
      join(folder, 'm.py'),
      `${table}\nclass Evaluator(Evaluator):\n    def embed_texts(self, texts):\n        import helper\n        return [[float(helper.F), 1.0]] * len(texts)\n`,
    );
    const evaluator = await openEvaluator(`python:${folder}/m.py`, { home });
    const bench = createBench({ store: join(home, 'store') });
    appendFileSync(join(folder, 'helper.py'), 'F = 2\n');
    await assert.rejects(bench.embeddings(evaluator, [text('x')]), {
      what: say('python.evaluatorChangedDuringRun'),
    });
    await bench.close();
    await evaluator.close();
  });
});
