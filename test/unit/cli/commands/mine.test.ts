import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TripletSession } from '../../../../src/sessions/triplets';
import { captious as run } from '../captious';
import { saying, sentence } from '../../../sentence';

describe('mining from the command line', function () {
  this.timeout(60_000);
  let folder: string;
  let vsr: string;
  let pairs: string;

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'captious-mine-'));
    vsr = join(folder, 'vsr.jsonl');
    const statements = [
      ['a.jpg', 'The cat is in the basket.', 'in', 1],
      ['b.jpg', 'The cat is outside the basket.', 'outside', 1],
      ['c.jpg', 'The cat is facing the basket.', 'facing', 1],
    ] as const;
    const lines = statements.map(([image, caption, relation, label]) =>
      JSON.stringify({ image, caption, relation, label }),
    );
    await writeFile(vsr, `${lines.join('\n')}\n`);
    pairs = join(folder, 'pairs.json');
    await writeFile(
      pairs,
      JSON.stringify({
        0: { filename: 'a.jpg', caption: 'A man drives a car.', negative_caption: 'A man drives a bus.' },
      }),
    );
  });
  after(() => rm(folder, { recursive: true }));

  const captious = (...args: string[]) => run(join(folder, 'home'), ...args);

  it('fails with the reasons and another method for a file without candidates', async () => {
    const out = join(folder, 'none.json');
    const { code, err } = await captious('mine', vsr, '--how', 'pairs', '--out', out);
    assert.equal(code, 2);
    assert.match(err, saying('mining.noTriplets'));
    assert.ok(err.includes(`3 × ${sentence('mining.noNegative')}`), err);
    assert.match(err, /--how spatial/);
    assert.equal(existsSync(out), false);
  });

  it('says so if a file has no readable example', async () => {
    const empty = join(folder, 'empty.tsv');
    await writeFile(empty, 'filename\tcaption\tsecond positive\tnegative_caption\n');
    const { code, err } = await captious('mine', empty, '--how', 'rules', '--out', join(folder, 'none.json'));
    assert.equal(code, 2);
    assert.ok(
      err.includes(`${sentence('mining.noReadableExample')} ${sentence('mining.chooseFileWithCaptions')}`),
      err,
    );
  });

  it('writes spatial triplets that it reads back as VISLA', async () => {
    const out = join(folder, 'spatial.tsv');
    const {
      code,
      out: printed,
      err,
    } = await captious('mine', vsr, '--how', 'spatial', '--out', out, '--json');
    assert.equal(code, 0, err);
    const localized = JSON.parse(printed) as { halves: number; both: number; leftOut: { count: number }[] };
    assert.deepEqual(
      [localized.halves, localized.both, localized.leftOut.map(({ count }) => count)],
      [2, 2, [1]],
    );
    const inspected = JSON.parse((await captious('inspect', out, '--json')).out) as Record<string, unknown>;
    assert.deepEqual([inspected.format, inspected.examples], ['visla', 2]);
    // Without --out, the command prints the table.
    const plain = await captious('mine', vsr, '--how', 'spatial');
    assert.match(
      plain.out,
      /^filename\tcaption\tsecond positive\tnegative_caption\na\.jpg\tThe cat is in the basket\.\t/,
    );
  });

  it('reports kinds and distances, and warns if P1 and N are not the nearest pair', async () => {
    const out = join(folder, 'far.tsv');
    const near = await captious('mine', vsr, '--how', 'spatial', '--out', out, '--json');
    const { kinds, words, notNearest } = JSON.parse(near.out) as {
      kinds: Record<string, number>;
      words: Record<string, number>;
      notNearest: number;
    };
    assert.deepEqual([kinds, Object.keys(words), notNearest], [{ place: 2 }, ['p1p2', 'p1n', 'p2n'], 0]);
    assert.ok(words.p1n < words.p1p2);
    const captions = join(folder, 'far.json');
    await writeFile(
      captions,
      JSON.stringify({
        0: {
          filename: 'a.jpg',
          caption: 'There is a man next to a car.',
          negative_caption: 'Somebody far away from here sells a hundred apples.',
        },
      }),
    );
    const far = await captious(
      'mine',
      captions,
      '--how',
      'pairs',
      '--out',
      join(folder, 'far.triplets.json'),
    );
    assert.equal(far.code, 0, far.err);
    assert.match(far.err, /first negatives: given 100 %/);
    assert.match(far.err, /warning: in 1 of 1 triplets, P1–N/);
  });

  it('writes candidates for the workshop, and exports its decisions', async () => {
    const out = join(folder, 'pairs.triplets.json');
    assert.equal(
      (await captious('mine', pairs, '--how', 'pairs', '--out', out, '--annotator', 'ann')).code,
      0,
    );
    const session = TripletSession.parse(await readFile(out, 'utf8'), out);
    assert.deepEqual([session.annotator, session.origin.how], ['ann', 'pairs']);
    assert.equal(session.items[0].negatives[0].text, 'A man drives a bus.');
    session.change(0, { second: 'A car is driven by a man.', status: 'accepted' });
    await writeFile(out, session.toString());
    const other = join(folder, 'other.triplets.json');
    await writeFile(other, session.toString().replace('"ann"', '"bo"'));
    const table = join(folder, 'merged.tsv');
    const { code, out: printed, err } = await captious('triplets', out, other, '--out', table, '--json');
    assert.equal(code, 0, err);
    const localized = JSON.parse(printed) as {
      accepted: number;
      agreement: { items: number; sameTexts: number };
    };
    assert.deepEqual(
      [localized.accepted, localized.agreement.items, localized.agreement.sameTexts],
      [1, 1, 1],
    );
    assert.equal(
      await readFile(table, 'utf8'),
      'filename\tcaption\tsecond positive\tnegative_caption\na.jpg\tA man drives a car.\tA car is driven by a man.\tA man drives a bus.\n',
    );
  });

  it('says what is wrong and what to do', async () => {
    const broken = join(folder, 'broken.json');
    await writeFile(broken, '{"schema": "captious/triplets@2"}');
    const misuses: [string[], RegExp][] = [
      [['mine', vsr], /--how is missing.*spatial, pairs, rules/],
      [['mine', vsr, '--how', 'magic'], /"magic" is not a value of --how/],
      [
        ['mine', pairs, '--how', 'spatial'],
        new RegExp(
          [
            saying('mining.wrongFormatForWay', 'spatial', sentence('mining.vsrRelationColumn')).source,
            saying('mining.tryOtherWay', 'pairs').source,
          ].join('[^]*'),
        ),
      ],
      [['mine', vsr, '--how', 'rules', '--out', join(folder, 'x.tsv')], /finds only candidates.*\.json/],
      [
        ['mine', vsr, '--how', 'synonyms', '--judge', 'x.json', '--out', join(folder, 'x.tsv')],
        /synonyms writes JSON, not TSV\..*\.attributes\.json/,
      ],
      [['mine', vsr, '--how', 'spatial', '--out', join(folder, 'x.csv')], /\.tsv or \.json/],
      [['mine', vsr, '--how', 'spatial', '--json'], /--json needs --out/],
      [['mine', join(folder, 'none.json'), '--how', 'rules'], /none\.json/],
      [['mine', pairs, '--how', 'pairs', '--out', broken], /broken\.json: The file exists/],
      [['triplets'], /at least one triplet file/],
      [
        ['triplets', broken],
        new RegExp(
          `broken\\.json: ${saying('sessions.fileInvalid', sentence('sessions.tripletFile')).source}schema.*captious/triplets@1`,
        ),
      ],
      [['triplets', join(folder, 'none.json')], /none\.json.*cannot be read/],
    ];
    for (const [args, message] of misuses) {
      const { code, err } = await captious(...args);
      assert.equal(code, 2, args.join(' '));
      assert.match(err, message, args.join(' '));
      assert.doesNotMatch(err, /internal error/);
    }
    for (const command of ['mine', 'triplets'])
      assert.match((await captious(command, '--help')).out, new RegExp(`Example:\\n  captious ${command}`));
  });
});
