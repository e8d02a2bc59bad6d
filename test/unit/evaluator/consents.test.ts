import assert from 'node:assert/strict';
import { isSaid } from '../../../src/base/say';
import { chmodSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Consent } from '../../../src/evaluator/evaluator';
import { openEvaluator, type OpenOptions } from '../../../src/evaluator/open';
import { checkPython } from '../../../src/evaluator/python/check';
import { JudgeMemory } from '../../../src/evaluator/judge/judgeMemory';
import { ScriptFound, withScripts } from '../../../src/evaluator/python/scripts';
import { cleanUp, scratch } from './fixtures';
import { needsPython } from './pythonFixtures';

const root = resolve(__dirname, '../../..');
const clip = join(root, 'test/fixtures/models/clip');

/** The rows of the table of consents in SECURITY.md: what each consent is bound to. */
function table(): Map<string, string[]> {
  const lines = readFileSync(join(root, 'SECURITY.md'), 'utf8').split('\n');
  const start = lines.findIndex((line) => /^\| Consent to +\|/.test(line));
  const rows = lines.slice(start + 2, lines.indexOf('', start));
  return new Map(
    rows.map((line) => {
      const [, consent, , bound] = line.split('|').map((cell) => cell.trim());
      return [consent, bound.split(/; /)];
    }),
  );
}

/** A situation that needs a consent. `change` changes one thing that it is bound to, `same` something else. */
interface Kind {
  prepare: () => { ask: (allow: (consent: Consent) => Promise<void>) => Promise<unknown> };
  change: Readonly<Record<string, () => void>>;
  same: Readonly<Record<string, () => void>>;
}

class Stop extends Error {}

describe('a consent', function () {
  needsPython(this);
  this.timeout(120_000);
  const [cwd, environment] = [process.cwd(), { ...process.env }];
  let folder: string;
  let home: string;
  const at = (name: string): string => join(folder, name);
  const write = (name: string, content: string): void => {
    mkdirSync(join(at(name), '..'), { recursive: true });
    writeFileSync(at(name), content);
  };
  const restore = (): void => {
    process.chdir(cwd);
    for (const name of ['VIRTUAL_ENV', 'PYTHONPATH', 'PATH', 'CAPTIOUS_PYTHON'])
      if (environment[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = environment[name];
  };
  afterEach(async () => {
    restore();
    await cleanUp();
  });

  /** An environment whose interpreter is a script, so that the test may replace it. */
  function environmentIn(name: string): void {
    write(`${name}/bin/python`, '#!/bin/sh\nexec python3 "$@"\n');
    chmodSync(at(`${name}/bin/python`), 0o755);
    write(`${name}/pyvenv.cfg`, 'version = 3.11.4\n');
    write(`${name}/lib/python3.11/site-packages/a.pth`, '');
  }
  const startup = (name: string): Record<string, () => void> => ({
    "the interpreter's command": () => {
      environmentIn(`${name}2`);
      said.python = at(`${name}2/bin/python`);
      process.env.VIRTUAL_ENV = at(`${name}2`);
    },
    "the interpreter's file": () => write(`${name}/bin/python`, '#!/bin/sh\n# other\nexec python3 "$@"\n'),
    '`pyvenv.cfg`': () => write(`${name}/pyvenv.cfg`, 'version = 3.11.4\nhome = /nowhere/bin\n'),
    '`.pth` files': () => write(`${name}/lib/python3.11/site-packages/a.pth`, 'import os\n'),
    '`sitecustomize` and `usercustomize`': () =>
      write(`${name}/lib/python3.11/site-packages/usercustomize.py`, 'pass\n'),
  });
  const elsewhere = (name: string): Record<string, () => void> => ({
    'times of files': () => utimesSync(at(`${name}/bin/python`), 1, 1),
    'an installed package': () => write(`${name}/lib/python3.11/site-packages/other.py`, 'pass\n'),
    'a site folder of another version': () =>
      write(`${name}/lib/python3.9/site-packages/a.pth`, 'import os\n'),
    'other files of the folder': () => write('other.py', 'pass\n'),
  });

  let said: Record<string, unknown>;
  const open = (ref: string, options: OpenOptions = {}): Kind['prepare'] => {
    return () => ({
      ask: async (allow) => {
        const evaluator = await openEvaluator(ref, { home, allow, ...options });
        await evaluator.close();
      },
    });
  };
  const evaluatorFile = (): string => {
    writeFileSync(at('e.evaluator.json'), JSON.stringify(said));
    return at('e.evaluator.json');
  };

  function kinds(): Record<string, Kind> {
    let [judge, remote] = ['http://judge.invalid/v1', 'http://remote.invalid:1'];
    let key: string | undefined;
    let sha256 = 'a'.repeat(64);
    return {
      'send captions and images to a judge or a writer': {
        prepare: () => ({
          ask: async (allow) => {
            const spec = { kind: 'judge', endpoint: judge, model: String(said.model ?? 'm'), keyFrom: key };
            writeFileSync(at('j.evaluator.json'), JSON.stringify(spec));
            const evaluator = await openEvaluator(at('j.evaluator.json'), { home, secret: () => 'k' });
            if (!evaluator.consent!.given) await allow(evaluator.consent!);
            await evaluator.close();
          },
        }),
        change: {
          'the address': () => (judge = 'http://judge.invalid/v2'),
          "the name of the key's variable": () => (key = 'OTHER_KEY'),
        },
        same: { 'the model': () => (said.model = 'n') },
      },
      'send captions and images to a remote encoder': {
        prepare: () => ({
          ask: async (allow) => {
            said = { kind: 'remote', endpoint: remote, folder: clip, text: said.text ?? 't', image: 'i' };
            await openEvaluator(evaluatorFile(), { home, allow }).catch((error: unknown) => {
              if (error instanceof Stop) throw error;
            });
          },
        }),
        change: { 'the address': () => (remote = 'http://remote.invalid:2') },
        same: { 'the name of the model': () => (said.text = 'other') },
      },
      'run an evaluator in Python': {
        prepare: () => {
          if (!('kind' in said)) {
            environmentIn('env');
            const code = `class Evaluator:\n    def __init__(self, a=0): pass\n    def embed_texts(self, texts): pass\nOther = Evaluator\n`;
            for (const name of ['m.py', 'n.py']) write(name, code);
            said = {
              kind: 'python',
              file: './m.py',
              object: 'Evaluator',
              args: {},
              python: at('env/bin/python'),
            };
          }
          return open(evaluatorFile())();
        },
        change: {
          "the file's path": () => (said.file = './n.py'),
          "the file's content": () => write('m.py', `${readFileSync(at('m.py'), 'utf8')}# other\n`),
          'the object': () => (said.object = 'Other'),
          'the adapter': () => {
            for (const name of ['file', 'object']) Reflect.deleteProperty(said, name);
            said.adapter = 'open_clip';
          },
          'the arguments': () => (said.args = { a: 1 }),
          ...startup('env'),
        },
        same: { ...elsewhere('env'), 'the time limit': () => (said.timeout = 60) },
      },
      'start an interpreter inside the folder': {
        prepare: () => {
          if (!readdirSync(folder).includes('.venv')) environmentIn('.venv');
          write('m.py', 'class Evaluator:\n    def embed_texts(self, texts): pass\n');
          process.chdir(folder);
          return open(`python:./m.py?a=${String(said.a ?? '')}`)();
        },
        change: startup('.venv'),
        same: elsewhere('.venv'),
      },
      'run a TorchScript archive': {
        prepare: () => ({
          ask: (allow) =>
            withScripts(home, allow, (scripts) => {
              if (scripts.includes(sha256)) return Promise.resolve();
              throw new ScriptFound({ path: String(said.path ?? '/a.pt'), sha256 });
            }),
        }),
        change: { "the file's content": () => (sha256 = 'b'.repeat(64)) },
        same: { "the file's path": () => (said.path = '/b.pt') },
      },
    };
  }

  async function asks(kind: Kind, give: boolean): Promise<boolean> {
    let isAsked = false;
    const stop = async (consent: Consent): Promise<void> => {
      isAsked = true;
      assert.ok(isSaid(consent.terms(1)), 'it can be translated');
      if (give) await consent.give();
      throw new Stop();
    };
    await kind
      .prepare()
      .ask(stop)
      .catch((error: unknown) => {
        if (isAsked && !(error instanceof Stop)) throw error;
      });
    return isAsked;
  }
  const anew = (): Record<string, Kind> => {
    restore();
    delete process.env.VIRTUAL_ENV;
    delete process.env.CAPTIOUS_PYTHON;
    [folder, home, said] = [scratch(), scratch(), {}];
    return kinds();
  };

  it('has a row in the table of SECURITY.md for each kind and each thing that it is bound to', () => {
    const own = Object.entries(anew()).map(([name, { change }]): [string, string[]] => [
      name,
      Object.keys(change),
    ]);
    assert.deepEqual([...table()].sort(), own.sort());
  });

  it('is stored only by the modules of these kinds', () => {
    const files = readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts'))
      .filter((name) => /emory\.consent\(|\.consented\(/.test(readFileSync(join(root, 'src', name), 'utf8')));
    assert.deepEqual(files.sort(), [
      'evaluator/judge/editorJudge.ts',
      'evaluator/judge/endpoint/endpointFile.ts',
      'evaluator/judge/scorer.ts',
      'evaluator/python/consent.ts',
      'evaluator/remote/consent.ts',
      'evaluator/writing/writer.ts',
    ]);
  });

  for (const name of [
    'send captions and images to a judge or a writer',
    'send captions and images to a remote encoder',
    'run an evaluator in Python',
    'start an interpreter inside the folder',
    'run a TorchScript archive',
  ])
    it(`to ${name} is asked again after each change of what it is bound to, and only then`, async () => {
      const { change, same } = anew()[name];
      for (const what of Object.keys(change)) {
        const kind = anew()[name];
        assert.ok(await asks(kind, true), 'the first time');
        kind.change[what]();
        assert.ok(await asks(kind, false), `after a change of ${what}`);
      }
      for (const what of Object.keys(same)) {
        const kind = anew()[name];
        assert.ok(await asks(kind, true), 'the first time');
        kind.same[what]();
        assert.ok(!(await asks(kind, false)), `not after a change of ${what}`);
      }
    });

  it('to start an interpreter is needed wherever it is found inside the folder, unless the user named it', async () => {
    const { 'start an interpreter inside the folder': kind } = anew();
    const { ask } = kind.prepare();
    await assert.rejects(ask(refuse), Stop, './.venv');
    process.env.VIRTUAL_ENV = at('.venv');
    await assert.rejects(ask(refuse), Stop, 'an active environment');
    await assert.rejects(checkPython({}, { home, allow: refuse }), Stop, 'captious python');
    delete process.env.VIRTUAL_ENV;
    const ref = `python:${at('m.py')}`;
    for (const options of [{ python: { asked: '.venv' } }, { python: { usual: [at('.venv/bin/python')] } }])
      await (await openEvaluator(ref, { home, ...options, allow: refuse })).close();
    process.chdir(cwd);
    process.env.VIRTUAL_ENV = at('.venv');
    await (await openEvaluator(ref, { home, allow: refuse })).close();
    const inside = { home, allow: refuse, python: { folders: [folder] } };
    await assert.rejects(openEvaluator(ref, inside), Stop, "the dataset's folder");
    delete process.env.VIRTUAL_ENV;
    write('bin/python3', '#!/bin/sh\n');
    chmodSync(at('bin/python3'), 0o755);
    process.env.PATH = `${at('bin')}:${process.env.PATH}`;
    await assert.rejects(openEvaluator(ref, inside), Stop, 'on the PATH');
  });

  it('is lost with a damaged file, so that Captious asks again', async () => {
    const { 'run a TorchScript archive': kind } = anew();
    assert.ok(await asks(kind, true));
    writeFileSync(join(home, 'judges-1.json'), '{');
    assert.ok(await asks(kind, false));
    assert.deepEqual(await new JudgeMemory(home).consents('script '), []);
  });
});

function refuse(): Promise<never> {
  return Promise.reject(new Stop());
}
