import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { createInterface } from 'node:readline';
import { mostCharacters } from '../../../src/assistant/answer';
import { mostMessage } from '../../../src/mcp/messages';
import { Assistant, removeFolder, temporaryFolder } from './client';

const secret = 'a secret that no answer may contain';

describe('a hostile assistant', function () {
  this.timeout(300_000);
  const base = temporaryFolder();
  const [data, home, elsewhere] = ['data', 'home', 'elsewhere'].map((name) => join(base, name));
  let assistant: Assistant;

  before(async () => {
    cpSync('samples', data, { recursive: true });
    mkdirSync(elsewhere);
    writeFileSync(join(elsewhere, 'secret.csv'), `image,caption\na.jpg,${secret}\n`);
    symlinkSync(join(elsewhere, 'secret.csv'), join(data, 'link.csv'));
    symlinkSync(elsewhere, join(data, 'folder'));
    symlinkSync(join(elsewhere, 'new'), join(data, 'nothing'));
    assistant = await Assistant.of(home, data);
  });
  after(async () => {
    await assistant.close();
    removeFolder(base);
  });

  async function refused(name: string, input: object): Promise<string> {
    const { text, isError } = await assistant.call(name, input);
    assert.ok(isError, `${name} ${JSON.stringify(input).slice(0, 200)}: ${text.slice(0, 300)}`);
    assert.ok(!text.includes(secret) && !text.includes('internal error') && text.length < 5000);
    return text;
  }

  it('reads no file outside the folders', async () => {
    const paths = [
      '../elsewhere/secret.csv',
      `images/../../elsewhere/secret.csv`,
      '..\\elsewhere\\secret.csv',
      join(elsewhere, 'secret.csv'),
      `${data}/../elsewhere/secret.csv`,
      `${data}-more/secret.csv`,
      'link.csv',
      'folder/secret.csv',
      'folder',
      '/etc/passwd',
      'file:///etc/passwd',
      '%2e%2e/elsewhere/secret.csv',
      '\uff0e\uff0e/elsewhere/secret.csv',
      join(base, 'DATA', 'captions.json'),
      '\\\\server\\share\\captions.json',
      'captions.json\0.csv',
      '~/captions.json',
      '',
      '.',
      'x'.repeat(5000),
      'a/'.repeat(3000),
    ];
    for (const file of paths) {
      await refused('inspect', { file });
      await refused('audit', { file });
      await refused('benchmark', { file });
      await refused('benchmark', { file: 'sugarcrepe.json', against: [file] });
      await refused('compare', { report: file, other: file });
      await refused('worst', { report: file });
    }
    await refused('inspect', { file: 'captions.json', images: [elsewhere] });
    await refused('audit', { file: 'captions.json', images: ['folder'] });
    await refused('benchmark', { file: 'sugarcrepe.json', images: ['folder'] });
  });

  it('finds no image in a folder outside that the name of a folder inside names', async () => {
    // For the command line, FROM=DIR is the folder DIR of the images whose names begin with FROM.
    const folder = `x=${elsewhere}`;
    mkdirSync(join(data, folder), { recursive: true });
    cpSync('samples/images/000000403353.jpg', join(elsewhere, 'a.jpg'));
    const names = ['x/a.jpg', join(data, 'x/a.jpg'), join(realpathSync(data), 'x/a.jpg')];
    writeFileSync(
      join(data, 'named.csv'),
      `image,caption\n${names.map((name) => `${name},a dog\n`).join('')}`,
    );
    const { images } = await assistant.ask<{ images: { found: number } }>('inspect', {
      ...{ file: 'named.csv', images: [folder] },
    });
    assert.equal(images.found, 0);
  });

  it('finds no image through a link that leaves the folders', async () => {
    cpSync('samples/images/000000403353.jpg', join(elsewhere, 'linked.jpg'));
    symlinkSync(join(elsewhere, 'linked.jpg'), join(data, 'images', 'linked.jpg'));
    mkdirSync(join(data, 'other'));
    symlinkSync(elsewhere, join(data, 'other', 'images'));
    for (const folder of ['', 'other/']) {
      writeFileSync(join(data, `${folder}linked.csv`), 'image,caption\nlinked.jpg,a dog\n');
      const { images } = await assistant.ask<{ images: { found: number; refused: { count: number } } }>(
        'inspect',
        { file: `${folder}linked.csv` },
      );
      assert.deepEqual([images.found, images.refused.count], [0, 1]);
    }
  });

  it('says the same of a file outside, whether it exists or not', async () => {
    const [one, two] = ['secret.csv', 'other_.csv'].map((name) => join(elsewhere, name));
    const said = await refused('inspect', { file: one });
    assert.equal(said.replace(basename(one), basename(two)), await refused('inspect', { file: two }));
  });

  it('reads no rows of a report through a link that leaves the folders', async () => {
    const { reports } = await assistant.ask<{ reports: { path: string }[] }>('audit', {
      ...{ file: 'triplets.tsv', probes: ['visla'], limit: 2 },
    });
    const [{ path }] = reports;
    const rows = path.replace('report.json', 'rows.jsonl');
    cpSync(rows, join(elsewhere, 'rows.jsonl'));
    rmSync(rows);
    symlinkSync(join(elsewhere, 'rows.jsonl'), rows);
    await refused('worst', { report: path });
    await refused('compare', { report: path, other: path });
  });

  it('reads no file next to a dataset through a link that leaves the folders', async () => {
    for (const [dataset, content, other] of [
      ['ExpertAnnotations.txt', 'a.jpg\tb.jpg#0\t1\t2\t3\n', 'Flickr8k.token.txt'],
      ['captions.json', readFileSync('samples/captions.json'), 'instances.json'],
    ] as const) {
      const folder = join(data, `with-${other}`);
      mkdirSync(folder);
      writeFileSync(join(folder, dataset), content);
      symlinkSync(join(elsewhere, 'secret.csv'), join(folder, other));
      const file = join(folder, dataset);
      for (const [name, input] of [
        ['inspect', { file }],
        ['audit', { file, probes: ['invariance'], limit: 2 }],
      ] as const)
        assert.match(await refused(name, input), new RegExp(other));
    }
  });

  it('writes nothing outside the folders', async () => {
    for (const out of [
      elsewhere,
      '../elsewhere',
      'folder',
      'folder/new',
      'nothing',
      'nothing/new',
      'captions.json',
    ])
      for (const [name, file] of [
        ['audit', 'triplets.tsv'],
        ['benchmark', 'sugarcrepe.json'],
      ] as const)
        await refused(name, { file, limit: 2, out });
    assert.ok(!existsSync(join(elsewhere, 'new')));
    assert.equal(JSON.parse(readFileSync(join(data, 'captions.json'), 'utf8')) instanceof Object, true);
  });

  it('runs no code and contacts no server that the user did not allow', async () => {
    const ran = join(elsewhere, 'ran');
    writeFileSync(join(data, 'metric.py'), `open(${JSON.stringify(ran)}, 'w')\nclass Evaluator: pass\n`);
    const python = { kind: 'python', file: './metric.py', object: 'Evaluator' };
    writeFileSync(join(data, 'x.evaluator.json'), JSON.stringify(python));
    mkdirSync(join(data, 'model'));
    writeFileSync(join(data, 'model', 'evaluator.json'), JSON.stringify({ ...python, file: '../metric.py' }));
    mkdirSync(join(data, 'linked'));
    symlinkSync(join(elsewhere, 'secret.csv'), join(data, 'linked', 'config.json'));
    const evaluators = [
      'python:./metric.py:Evaluator',
      `python:${join(data, 'metric.py')}:Evaluator`,
      `clipscore:python:${join(data, 'metric.py')}:Evaluator`,
      'refclipscore:python:./metric.py:Evaluator',
      'PYTHON:./metric.py:Evaluator',
      'x.evaluator.json',
      join(data, 'x.evaluator.json'),
      'model',
      'linked',
      'folder',
      elsewhere,
      'open_clip:ViT-B-32?pretrained=openai',
      'transformers:./model',
      'oip+http://127.0.0.1:9?folder=./model&text=t',
      'http://127.0.0.1:9',
      'vscode.lm:any',
      'clipscore:'.repeat(500) + 'starter',
      '',
    ];
    for (const one of evaluators)
      await refused('audit', { file: 'triplets.tsv', probes: ['visla'], limit: 2, evaluators: [one] });
    assert.ok(!existsSync(ran));
  });

  it('gets bounded answers', async () => {
    const rows = Array.from(
      { length: 3000 },
      (_, i) => `missing-${i}-${'x'.repeat(100)}.jpg,caption ${i},${'t'.repeat(9)}${i}`,
    );
    const columns = Array.from({ length: 3000 }, (_, i) => `column-${i}-${'y'.repeat(40)}`).join(',');
    writeFileSync(join(data, 'wide.csv'), `image,caption,${columns}\n${rows.join('\n')}\n`);
    const { text } = await assistant.call('inspect', { file: 'wide.csv' });
    assert.ok(text.length <= mostCharacters);
    assert.ok('truncated' in (JSON.parse(text) as object));
  });

  it('gets an error for input that is not as described', async () => {
    for (const [name, input] of [
      ['audit', {}],
      ['audit', { file: 7 }],
      ['audit', { file: 'triplets.tsv', limit: 0 }],
      ['audit', { file: 'triplets.tsv', limit: 1.5 }],
      ['audit', { file: 'triplets.tsv', probes: 'visla' }],
      ['audit', { file: 'triplets.tsv', probes: ['__proto__'] }],
      ['audit', { file: 'triplets.tsv', probes: [] }],
      ['audit', { file: 'triplets.tsv', evaluators: [] }],
      ['probes', { id: 'constructor' }],
      ['inspect', { file: 'captions.json', images: 'x'.repeat(100_000) }],
    ] as const)
      await refused(name, input);
    await assert.rejects(assistant.call('constructor'));
  });

  it('is answered for many calls at once, of which only some run', async () => {
    const calls = Array.from({ length: 300 }, () => assistant.call('inspect', { file: 'triplets.tsv' }));
    const answers = await Promise.all(calls);
    assert.ok(answers.some(({ isError }) => !isError));
    assert.ok(answers.some(({ isError }) => isError));
    assert.equal((await assistant.call('inspect', { file: 'triplets.tsv' })).isError, false);
  });

  it('sends malformed and endless messages without an effect on the next one', async () => {
    const child = spawn(process.execPath, ['dist/cli.js', 'mcp', data], {
      env: { ...process.env, CAPTIOUS_HOME: home },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    const lines: { id: unknown; error?: { code: number }; result?: object }[] = [];
    const answered = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        const message = JSON.parse(line) as (typeof lines)[0];
        lines.push(message);
        if (message.id === 'last') resolve();
      });
    });
    const send = (text: string) => child.stdin.write(`${text}\n`);
    send('not JSON');
    send('');
    send('[]');
    send('"text"');
    send('{"jsonrpc":"1.0"}');
    send(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"inspect","arguments":null}}`);
    send(`{"jsonrpc":"2.0","id":2,"method":"no/such/method"}`);
    send('['.repeat(mostMessage / 2));
    send('x'.repeat(3 * mostMessage));
    send('{"jsonrpc":"2.0","id":"last","method":"ping"}');
    await answered;
    const codes = lines.flatMap(({ id, error }) => (id === null ? [error?.code] : []));
    assert.deepEqual(codes, [-32700, -32700, -32600]);
    assert.deepEqual(lines.at(-1)?.result, {});
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.end();
    assert.equal(await closed, 0);
  });

  it('leaves during an audit, and the server ends with all its processes', async () => {
    const child = spawn(process.execPath, ['dist/cli.js', 'mcp', data], {
      env: { ...process.env, CAPTIOUS_HOME: join(base, 'other-home') },
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    // The event comes after the last process that holds the output has ended.
    const closed = new Promise<number | null>((resolve) => child.once('close', resolve));
    const started = new Promise<void>((resolve) => {
      createInterface({ input: child.stdout }).on('line', (line) => {
        if (line.includes('notifications/progress')) resolve();
      });
    });
    const input = { file: 'captions.json', probes: ['lgip'] };
    const params = { name: 'audit', arguments: input, _meta: { progressToken: 1 } };
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
    await started;
    child.stdin.end();
    assert.equal(await closed, 0);
  });
});
