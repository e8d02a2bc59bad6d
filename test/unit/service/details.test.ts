import assert from 'node:assert/strict';
import { english } from '../../../src/base/english';
import { findSaid, say, type Words } from '../../../src/base/say';
import type { Example } from '../../../src/dataset/example';
import { choice } from '../../../src/probe/choice/choice';
import type { ChoiceRow } from '../../../src/probe/choice/row';
import { choiceRows } from '../../../src/probe/choice/view';
import { invarianceRows } from '../../../src/probe/invariance/view';
import { prsmRows } from '../../../src/probe/prsm/view';
import { rococoFaults } from '../../../src/probe/rococo/faults';
import { rococoRows } from '../../../src/probe/rococo/rowView';
import { sugarcrepeRows } from '../../../src/probe/sugarcrepe/view';
import { vislaRows } from '../../../src/probe/visla/rowView';
import { winogroundRows } from '../../../src/probe/winoground/view';
import { toldApart } from '../../../src/service/panelReport';
import type { InvarianceRow } from '../../../src/probe/invariance/row';
import type { QueryRow } from '../../../src/probe/prsm/row';
import type { CaptionRow, ImageRow } from '../../../src/probe/rococo/row';
import type { WinogroundRow } from '../../../src/probe/winoground/row';
import type { VislaRow } from '../../../src/probe/visla/row';
import type { ReportView } from '../../../src/protocol/panel';
import { rowRequests } from '../../../src/protocol/rows';

const base = { example: 'e', row: 0, image: 'a.jpg' };

describe('the detail of an example', () => {
  it('a triplet: marks sides that should be shorter and are not', () => {
    const row: VislaRow = {
      ...base,
      p1: 'one',
      p2: 'two',
      n: 'three',
      swapped: false,
      characters: { p1p2: 1, p1n: 1, p2n: 1 },
      words: { p1p2: 1, p1n: 1, p2n: 1 },
      t2t: { p1p2: 0.5, p1n: 0.5, p2n: 0.4, right: false, tie: true },
    };
    assert.deepEqual(
      vislaRows.detail(row, 0).triangle?.sides.map(({ wrong }) => wrong),
      [false, true, false],
    );
  });

  it('a pair: the image is the third corner if all three similarities are known, and its kind is its type', () => {
    const row = { ...base, caption: 'a', negative: 'b', text: 0.9 };
    const image = { caption: 0.2, negative: 0.3, right: false, tie: false };
    assert.deepEqual(sugarcrepeRows.detail({ ...row, i2t: image }, 0).triangle?.sides, [
      { from: 0, to: 1, value: 0.9, wrong: false },
      { from: 0, to: 2, value: 0.2, wrong: false },
      { from: 1, to: 2, value: 0.3, wrong: true },
    ]);
    assert.equal(sugarcrepeRows.detail(row, 0).triangle, undefined);
    const kinds = [row, { ...row, tags: { type: 'swap_obj' } }].map(
      (one) => sugarcrepeRows.line(one, 0).label,
    );
    assert.deepEqual(kinds, [say('sugarcrepe.negative'), 'swap_obj']);
  });

  it('two pairs: shows which captions and images find each other; a tie finds none', () => {
    const { crossed } = winogroundRows.detail(
      {
        ...base,
        captions: ['a', 'b'],
        images: ['a.jpg', 'b.jpg'],
        ...{ c0i0: 0.5, c0i1: 0.6, c1i0: 0.5, c1i1: 0.7 },
        ...{ right: { text: false, image: false, group: false } },
      },
      0,
    );
    assert.deepEqual(crossed?.scores, [
      [0.5, 0.6],
      [0.5, 0.7],
    ]);
    assert.deepEqual(crossed.captionFinds, [false, true]);
    assert.deepEqual(crossed.imageFinds, [false, true]);
  });

  it('two pairs: the row is of the comparison that fails most, so that its image, texts and score are of it', () => {
    const lineOf = (c0i0: number, c1i0: number, c0i1: number, c1i1: number) => {
      const own = { ...base, captions: ['a', 'b'], images: ['a.jpg', 'b.jpg'] };
      const pairs = { c0i0, c1i0, c0i1, c1i1, right: { text: false, image: false, group: false } };
      const [byImage, rightOf] = [
        [c0i0, c1i0, c0i1, c1i1],
        [0, 1],
      ];
      const scores = [byImage.slice(0, 2), byImage.slice(2)];
      const lines = [
        winogroundRows.line({ ...own, ...pairs } as WinogroundRow, 0),
        choiceRows.line({ ...own, scores, rightOf }, 0),
      ].map(({ image, before, after, score, delta }) => [image, before, after, score, delta]);
      assert.deepEqual(lines[0], lines[1]);
      return lines[0];
    };
    // The leads of the four comparisons, by hand: of a over b with a.jpg, of b over a with b.jpg, of a.jpg over b.jpg
    // for a, and of b.jpg over a.jpg for b. Here they are .5, −.25, .25 and 0: the second decides.
    assert.deepEqual(lineOf(0.75, 0.25, 0.5, 0.25), ['b.jpg', 'b', 'a', 0.25, -0.25]);
    // Then .5, .625, −.125 and 1.25: image a.jpg has its own caption by far, but the caption a has b.jpg.
    assert.deepEqual(lineOf(0.625, 0.125, 0.75, 1.375), ['a.jpg', 'a', 'b.jpg', 0.625, -0.125]);
  });

  it('a search for captions: shows which entries leave and enter', () => {
    const own = { text: 'own', score: 0.5, kind: 'true', of: 'e' } as const;
    const other = { text: 'other', score: 0.4, kind: 'other', of: 'f' } as const;
    const altered = { text: 'own', score: 0.6, kind: 'altered', of: 'e' } as const;
    const row: ImageRow = {
      ...base,
      kind: 'image',
      caption: 'own',
      score: 0.5,
      clean: {},
      first: [own, other],
      lists: [{ source: 'file', stressed: {}, rsms: 1, first: [altered, own] }],
    };
    const { rankings } = rococoRows.detail(row, 0);
    const entries = (list: 'before' | 'after') =>
      rankings?.[list].found.map(({ name, kind, stays }) => `${name} ${kind} ${stays ? 'stays' : 'moves'}`);
    assert.deepEqual(entries('before'), ['own own stays', 'other other moves']);
    // An altered caption is a separate entry, even if it equals the image's own caption.
    assert.deepEqual(entries('after'), ['own altered moves', 'own own stays']);
  });

  it('an altered caption is wrong if it is closer than another true one', () => {
    const row = (similarity: number): CaptionRow => ({
      ...base,
      kind: 'caption',
      caption: 'a',
      altered: [{ source: 'file', text: 'b', similarity }],
      nearest: { text: 'c', similarity: 0.5 },
    });
    assert.deepEqual(
      [0.4, 0.5, 0.6].map((similarity) => rococoRows.facts(row(similarity))[0].verdict),
      ['right', 'tie', 'wrong'],
    );
    // The first screen shows the first caption after the own one as the rival of an altered one.
    assert.deepEqual(
      rococoRows.detail(row(0.6), 0).captions.map(({ text }) => text),
      ['a', 'c', 'b'],
    );
    const [fault] = rococoFaults(row(0.5));
    assert.deepEqual(fault.message, say('rococo.alteredCaptionCloser', 'b', 'a', '0.5000', 'c', '0.5000'));
    assert.deepEqual(rococoFaults(row(0.4)), []);
  });

  it('a caption among altered images: shows how the closest was made, and that it was closer', () => {
    const transform = {
      ...{ op: 'mix', side: 384, lambda: 0.4 },
      other: { path: 'b.jpg', sha256: 'f' },
    } as const;
    const old = { images: 'patch-0.8', stressed: {}, rsms: 0, rival: 0.3 };
    const hit = { ...old, images: 'mix-0.4', rsms: 1, rival: 0.6, made: { image: 'c.jpg', transform } };
    const row: CaptionRow = {
      ...base,
      kind: 'caption',
      caption: 'a',
      altered: [{ source: 'file', text: 'b', similarity: 0.4 }],
      nearest: { text: 'c', similarity: 0.5 },
      search: { score: 0.5, clean: {}, hits: [hit, old] },
    };
    assert.deepEqual(
      rococoRows.facts(row).map(({ verdict, facets }) => [verdict, facets[2]]),
      [
        ['right', 'file'],
        ['wrong', 'mix-0.4'],
        // The caption may be true of an image that keeps most of its own.
        ['none', 'patch-0.8'],
      ],
    );
    const hits = [{ ...old, images: 'mix-0.4', rival: 0.6 }];
    const foreign: CaptionRow = { ...row, search: { score: 0.5, clean: {}, hits } };
    assert.equal(rococoRows.facts(foreign)[1].verdict, 'wrong');
    assert.deepEqual(rococoRows.transforms?.(row, 1), [transform]);
    const { change, captions } = rococoRows.detail(row, 1);
    assert.ok(change);
    assert.deepEqual([change.words, change.image], [say('rococo.imageMixedIn', '60 %', 'b.jpg'), 'c.jpg']);
    assert.deepEqual(
      captions.map(({ score }) => score),
      [0.5, 0.6],
    );
    // Reports of earlier versions do not record how an altered image was made.
    assert.deepEqual(rococoRows.transforms?.(row, 2), []);
    assert.equal(rococoRows.detail(row, 2).change, undefined);
    assert.equal(rococoRows.detail(row, 0).change, undefined);
  });

  it("a search for images: described in words, with the caption's own image marked", () => {
    const row: QueryRow = {
      ...base,
      kind: 'query',
      caption: 'a cat',
      wordings: [
        { label: 'o', text: 'a cat', first: ['a.jpg', 'b.jpg'] },
        { label: 'c1', text: 'one cat', first: ['b.jpg', 'c.jpg'] },
      ],
      pairs: [],
      moved: [{ label: 'c1', against: 'o', entered: ['c.jpg'], left: ['a.jpg'] }],
      global: 1,
      listwise: 1,
      local: { 2: 0.5 },
    };
    const { rankings } = prsmRows.detail(row, 0);
    assert.ok(rankings);
    assert.equal(english(rankings.before.title), 'caption: a cat');
    assert.deepEqual(rankings.before.found, [
      { name: 'a.jpg', kind: 'own', stays: false },
      { name: 'b.jpg', kind: 'none', stays: true },
    ]);
    assert.deepEqual(
      rankings.after.found.map(({ stays }) => stays),
      [true, false],
    );
  });

  it("a changed image: shows the change, and the object's new place", () => {
    const mask = { width: 2, height: 2, runs: [0, 1, 3] };
    const moved = { op: 'move', dx: 1, dy: 0, tries: 1, fill: 'none', feather: 0 } as const;
    const variant = {
      axis: 'spatial',
      variant: '',
      against: 0.2,
      score: 0.1,
      delta: -0.1,
      change: -50,
    } as const;
    const row: InvarianceRow = {
      ...base,
      objects: 'single',
      source: 'dataset',
      text: 'a cat',
      object: {
        ...{ label: 'cat', category: 'animal' as never, tied: false, coverage: 0.25, bin: '' },
        ...{ box: [0, 0, 1, 1] as const, mask },
      },
      score: 0.2,
      variants: [
        { ...variant, family: 'reposition', transform: moved },
        { ...variant, family: 'hflip', transform: { op: 'hflip' } },
        { ...variant, axis: 'societal', family: 'gender', text: 'a tom cat' },
      ],
      rejected: [],
    };
    const changes = row.variants.map((_, sub) => invarianceRows.detail(row, sub).change);
    assert.deepEqual(
      changes.map((change) => change?.outline?.moved),
      [[1, 0], undefined, undefined],
    );
    assert.equal(changes[2], undefined);
    assert.deepEqual(invarianceRows.transforms?.(row, 0), [
      { op: 'move', mask, dx: 1, dy: 0, fill: 'none', feather: 0 },
    ]);
    assert.deepEqual(invarianceRows.transforms?.(row, 2), []);
    // The panel's check must accept the view's result.
    const detail = { index: 0, ...invarianceRows.detail(row, 0) };
    assert.equal(rowRequests.detail.answer(JSON.parse(JSON.stringify(detail)), '').index, 0);
  });
});

describe('a caption framed by a word', () => {
  it('is compared with the neutral wording, which has its own line and score', () => {
    const variant = {
      ...({ axis: 'societal', family: 'gender', variant: '', score: 0.1, change: -50 } as const),
      ...{ against: 0.25, againstText: 'a kid on a bike', delta: -0.15 },
    };
    const row: InvarianceRow = {
      ...base,
      objects: 'none',
      source: 'dataset',
      text: 'a boy on a bike',
      score: 0.2,
      variants: [
        { ...variant, text: 'a girl on a bike', score: 0.24, delta: -0.01 },
        { ...variant, text: 'a lad on a bike' },
        { ...variant, text: 'a mirrored boy', against: 0.2, againstText: undefined, delta: -0.1 },
      ],
      rejected: [],
    };
    const { captions } = invarianceRows.detail(row, 0);
    assert.deepEqual(
      captions.map(({ text, score, against, chosen }) => [text, score, against, chosen]),
      [
        ['a boy on a bike', 0.2, undefined, false],
        ['a kid on a bike', 0.25, undefined, false],
        ['a girl on a bike', 0.24, 1, true],
        ['a lad on a bike', 0.1, 1, false],
        ['a mirrored boy', 0.1, 0, false],
      ],
    );
    const [original, neutral] = [say('invariance.original'), say('invariance.neutralWording')];
    const byWords = (against: Words) =>
      say('invariance.changeAgainst', say('invariance.groupGender'), against);
    assert.deepEqual(
      captions.map(({ label }) => label),
      [original, neutral, byWords(neutral), byWords(neutral), byWords(original)],
    );
    // A neutral wording with the score of the original is still what its variants are compared with.
    const even = { ...row, score: 0.25, variants: row.variants.slice(0, 2) };
    assert.deepEqual(
      invarianceRows.detail(even, 0).captions.map(({ against }) => against),
      [undefined, undefined, 1, 1],
    );
    for (const { score, delta, against } of captions)
      if (against !== undefined)
        assert.ok(
          Math.abs(score! - captions[against].score! - delta!) < 1e-12,
          'the delta is from that line',
        );
  });
});

describe('a choice about a part of an image', () => {
  const example: Example = {
    id: 'e',
    form: 'choice',
    row: 0,
    images: [{ name: 'a.jpg', crop: { x: 10, y: 20, width: 30, height: 40 } }],
    captions: [
      { text: 'right', role: 'caption', image: 0, field: 'c' },
      { text: 'wrong', role: 'negative', image: 0, field: 'n' },
    ],
    attributes: {},
  };
  const rowOf = (own: Example): ChoiceRow => {
    const context = {
      dataset: '',
      seed: 1,
      options: {},
      scores: ['image-text' as const],
      image: () => undefined,
    };
    const [row] = choice.measure(own, { pairs: 2, wants: [] }, Float64Array.of(0.4, 0.3), context);
    return row;
  };

  it('shows that part in the list and in the detail, and names the box', () => {
    const row = rowOf(example);
    assert.ok(choiceRows.row.fits(JSON.parse(JSON.stringify(row))));
    assert.deepEqual(choiceRows.transforms?.(row, 0), [{ op: 'crop', x: 10, y: 20, width: 30, height: 40 }]);
    const [line, detail] = [choiceRows.line(row, 0), choiceRows.detail(row, 0)];
    assert.deepEqual([line.cropped, detail.cropped], [true, true]);
    assert.deepEqual(
      detail.notes.flatMap((note) => findSaid(note, 'choice.seenPart') ?? []),
      [say('choice.seenPart', 30, 40, 10, 20)],
    );
    const checked = rowRequests.detail.answer(JSON.parse(JSON.stringify({ index: 0, ...detail })), '');
    assert.equal(checked.cropped, true);
  });

  it('does not mention a part if the whole image was scored', () => {
    const row = rowOf({ ...example, images: [{ name: 'a.jpg' }] });
    assert.equal('crops' in row, false);
    assert.deepEqual(choiceRows.transforms?.(row, 0), []);
    assert.equal(choiceRows.line(row, 0).cropped, undefined);
    assert.deepEqual(choiceRows.detail(row, 0).notes, []);
  });
});

describe('runs side by side', () => {
  const report = (evaluator: string, ...made: [string, string][]): ReportView => ({
    ...{
      key: '',
      probe: 'visla',
      title: 'VISLA',
      question: '',
      evaluator,
      size: '1',
      examples: 1,
      skipped: 0,
    },
    ...{ leftOut: [], claims: [], metrics: [], cards: [], warnings: [], made },
    columns: { before: '', after: '', score: '', delta: '', about: '' },
  });
  const names = (...reports: ReportView[]) => toldApart(reports).map(({ evaluator }) => evaluator);

  it('of different evaluators are labelled by name only', () => {
    assert.deepEqual(names(report('A', ['seed', '1']), report('B', ['seed', '2'])), ['A', 'B']);
  });

  it('of one evaluator are labelled by their differences', () => {
    const [first, second] = [
      report('A', ['dataset', 'x'], ['seed', '1']),
      report('A', ['dataset', 'x'], ['seed', '2']),
    ];
    assert.deepEqual(names(first, second, report('B')), ['A · seed 1', 'A · seed 2', 'B']);
  });

  it('have headlines with short names, which differ between evaluators', () => {
    const headlines = (...evaluators: string[]) =>
      toldApart(
        evaluators.map((name) => ({ ...report(name), headline: say('base.labelledPart', name, 'is right') })),
      ).map(({ headline }) => english(headline ?? ''));
    assert.deepEqual(headlines('CLIP (B/32)'), ['CLIP: is right']);
    assert.deepEqual(headlines('CLIP (B/32)', 'CLIP (L/14)'), [
      'CLIP (B/32): is right',
      'CLIP (L/14): is right',
    ]);
  });

  it('of one evaluator without differences are numbered', () => {
    assert.deepEqual(names(report('A'), report('A')), ['A · run 1', 'A · run 2']);
  });
});
