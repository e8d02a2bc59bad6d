import assert from 'node:assert/strict';
import { join } from 'node:path';
import type { CaptiousError } from '../../../src/base/errors';
import { say } from '../../../src/base/say';
import type { Example } from '../../../src/dataset/example';
import { mapFlag, parseFieldMap } from '../../../src/dataset/fields/fields';
import { isPythonList, pythonList } from '../../../src/dataset/fields/pythonList';
import { assertAsks, flagsIn, needSharedData, readAll, scratchFolder, sharedData } from './support';
import { saying } from '../../sentence';

const scratch = scratchFolder();
const csv = (text: string): string => scratch.write('table.csv', text);
const roles = (examples: readonly Example[]): string[][] =>
  examples.map(({ captions }) => captions.map(({ role, text }) => `${role}: ${text}`));

describe('a column that may say what is true', () => {
  const columns: Record<string, string> = {
    label: '1',
    is_true: 'true',
    foil: 'False',
    correct: 'no',
    correct_answer: '0',
    answer: '1',
    answers: 'A',
    votes: '3',
    verdict: 'right',
    options: 'x',
  };
  for (const [column, value] of Object.entries(columns)) {
    it(`asks about "${column}" next to captions, instead of keeping it as an attribute`, async () => {
      const path = csv(`image,caption,${column}\na.jpg,A red cat sits on a mat.,${value}\n`);
      const [alone] = await assertAsks(path, say('dataset.answerColumnUnreadable', column));
      assert.deepEqual(roles(alone.examples), [['caption: A red cat sits on a mat.']]);
    });
  }

  it('offers both meanings of a truth value, and each map reads accordingly', async () => {
    const path = csv('image,caption,flag_true\na.jpg,Right.,1\nb.jpg,Wrong.,0\n');
    const [alone, label, foil] = await assertAsks(path, /"flag_true"/);
    assert.deepEqual(roles(alone.examples), [['caption: Right.'], ['caption: Wrong.']]);
    assert.deepEqual(roles(label.examples), [['caption: Right.'], ['negative: Wrong.']]);
    assert.deepEqual(roles(foil.examples), [['negative: Right.'], ['caption: Wrong.']]);
  });

  it('does not read NegBench without its answer as four true captions', async () => {
    const path = csv(
      'image_path,caption_0,caption_1,caption_2,caption_3,chosen_one\na.jpg,A cat.,No cat.,A dog.,No dog.,2\n',
    );
    await assertAsks(path, say('dataset.wrongCaptionsMissing', 'caption_0'));
  });

  it('offers the answer among several captions', async () => {
    const path = csv('image,caption_0,caption_1,caption_2,gold_answer\na.jpg,A.,B.,C.,2\nb.jpg,D.,E.,F.,0\n');
    const read = await assertAsks(path, say('dataset.answerColumnUnreadable', 'gold_answer'));
    assert.deepEqual(roles(read[1].examples), [
      ['negative: A.', 'negative: B.', 'caption: C.'],
      ['caption: D.', 'negative: E.', 'negative: F.'],
    ]);
  });

  it('asks where an answer starts counting if it cannot be 0', async () => {
    const path = csv('image,a1,a2,key\na.jpg,A.,B.,1\nb.jpg,C.,D.,2\n');
    const map = parseFieldMap('image=image,options=a*,answer=key');
    let remedy = '';
    await assert.rejects(readAll(path, { map }), (error: CaptiousError) => {
      assert.match(error.message, saying('dataset.optionsCountedFromOne'));
      remedy = error.remedy!;
      return true;
    });
    const { examples } = await readAll(path, { map: flagsIn(remedy)[0] });
    assert.deepEqual(roles(examples), [
      ['caption: A.', 'negative: B.'],
      ['negative: C.', 'caption: D.'],
    ]);
  });

  it('asks about a true caption without its wrong counterpart', async () => {
    const path = csv('image_path,true_caption\na.jpg,The cat is on the mat.\n');
    const [alone] = await assertAsks(path, say('dataset.wrongCaptionsMissing', 'true_caption'));
    assert.deepEqual(roles(alone.examples), [['caption: The cat is on the mat.']]);
  });

  it('asks about sentences, lists of them, and images under an unknown name', async () => {
    const sentences = csv('image,caption,other\na.jpg,A cat is here.,No cat is to be seen\n');
    const [alone, wrong] = await assertAsks(sentences, say('dataset.furtherCaptionsUnclear', 'other'));
    assert.deepEqual(roles(alone.examples), [['caption: A cat is here.']]);
    assert.deepEqual(roles(wrong.examples), [['caption: A cat is here.', 'negative: No cat is to be seen']]);
    const lists = csv("image,caption,zzz\na.jpg,A cat.,\"['a dog is in the park', 'b']\"\n");
    await assertAsks(lists, say('dataset.furtherCaptionsUnclear', 'zzz'));
  });

  it('does not read COCO annotations marked as foil as true', async () => {
    const path = scratch.write(
      'foil.json',
      JSON.stringify({
        images: [{ id: 1, file_name: 'a.jpg' }],
        annotations: [{ id: 1, image_id: 1, caption: 'A cat.', is_foil: true }],
      }),
    );
    const readings = await assertAsks(path, say('dataset.answerColumnUnreadable', 'is_foil'));
    assert.deepEqual(
      readings.map(({ dataset, examples }) => [dataset.form, ...roles(examples)]),
      [
        ['captions', ['caption: A cat.']],
        ['choice', ['caption: A cat.']],
        ['choice', ['negative: A cat.']],
      ],
    );
  });

  it('joins right and wrong COCO captions of an image by a map', async () => {
    const caption = (id: number, image_id: number, is_foil: unknown) => ({
      id,
      image_id,
      caption: `Caption ${id}.`,
      is_foil,
    });
    const path = scratch.write(
      'foil.json',
      JSON.stringify({
        images: [1, 2].map((id) => ({ id, file_name: `${id}.jpg` })),
        annotations: [
          caption(1, 1, false),
          caption(2, 1, true),
          caption(3, 2, 'false'),
          caption(4, 2, 1),
          caption(5, 2, '?'),
        ],
      }),
    );
    const { dataset, examples, problems } = await readAll(path, {
      map: { foil: 'is_foil', caption: 'caption' },
    });
    assert.equal(dataset.form, 'choice');
    assert.deepEqual(roles(examples), [
      ['caption: Caption 1.', 'negative: Caption 2.'],
      ['caption: Caption 3.', 'negative: Caption 4.'],
    ]);
    assert.deepEqual(
      problems.map(({ severity, code }) => [severity, code]),
      [['error', 'wrong-type']],
    );
  });
});

describe('columns named by a map', () => {
  it('are not joined by guessed caption columns', async () => {
    const path = csv('image,caption_1,caption_2\na.jpg,One cat.,Two cats.\n');
    const { dataset, examples } = await readAll(path, {
      map: parseFieldMap('image=image,caption=caption_2,negative=caption_1'),
    });
    assert.equal(dataset.format, 'sugarcrepe');
    assert.deepEqual(roles(examples), [['caption: Two cats.', 'negative: One cat.']]);
    const alone = await readAll(path, { map: parseFieldMap('caption=caption_1') });
    assert.deepEqual(roles(alone.examples), [['caption: One cat.']]);
  });

  it('are read without a wrong caption in another column', async () => {
    const path = csv('image,caption,negative_caption\na.jpg,A cat.,A dog.\n');
    const { dataset, examples } = await readAll(path, { map: parseFieldMap('image=image,caption=caption') });
    assert.deepEqual([dataset.form, roles(examples)], ['captions', [['caption: A cat.']]]);
  });

  it('may be several columns that match a star, and may have commas, blanks and quotes in their names', async () => {
    const path = csv('photo,"it\'s one, or two",t 1,t 2\na.jpg,x,A.,B.\n');
    const { examples } = await readAll(path, { map: parseFieldMap('image=photo,caption=t *') });
    assert.deepEqual(roles(examples), [['caption: A.', 'caption: B.']]);
    const odd = { image: 'photo', caption: "it's one, or two" };
    assert.deepEqual(flagsIn(mapFlag(odd)), [odd]);
    assert.deepEqual(roles((await readAll(path, { map: odd })).examples), [['caption: x']]);
  });

  it('may be called n without becoming a negative caption', async () => {
    const path = csv('image,caption,n\na.jpg,A cat.,5\n');
    const { dataset, examples } = await readAll(path);
    assert.deepEqual([dataset.form, roles(examples)], ['captions', [['caption: A cat.']]]);
  });
});

describe('a Python list in a cell', () => {
  const lists: [string, string[] | undefined][] = [
    [`['a', "it's", 'c\\'d', 'e\\n']`, ['a', "it's", "c'd", 'e\n']],
    [`("one",)`, ['one']],
    ['[]', []],
    [`[u'caf\\xe9', '\\u2603']`, ['café', '☃']],
    [`['a' 'b']`, undefined],
    [`['a', nan]`, undefined],
    ['[A man] walks', undefined],
    ['["a, "b"]', undefined],
  ];
  for (const [text, expected] of lists)
    it(`reads ${text} as ${expected === undefined ? 'text' : JSON.stringify(expected)}`, () => {
      assert.deepEqual(pythonList(text), expected);
    });

  it('is read as several captions, never as one literal text', async () => {
    const path = csv(
      'filepath,captions\na.jpg,"[\'A cat.\', ""It\'s a dog.""]"\nb.jpg,"[\'A\' \'B\']"\nc.jpg,[A man] walks.\n',
    );
    const { examples, problems } = await readAll(path);
    assert.deepEqual(roles(examples), [
      ['caption: A cat.', "caption: It's a dog."],
      ['caption: [A man] walks.'],
    ]);
    assert.deepEqual(
      problems.map(({ code, row }) => [code, row]),
      [['wrong-type', 1]],
    );
    assert.ok(!examples.flatMap(({ captions }) => captions).some(({ text }) => isPythonList(text)));
  });
});

describe('captions by image', () => {
  it("names images by keys in CLIPScore's references and candidates, given a map", async function () {
    needSharedData(this);
    for (const file of ['refs', 'good_captions', 'bad_captions']) {
      const [read] = await assertAsks(join(sharedData, `clipscore-example/${file}.json`), /"key", "value"/);
      assert.deepEqual(
        read.examples.map(({ images }) => images[0].name),
        ['image1', 'image2'],
      );
      assert.equal(read.examples[0].captions.length, file === 'refs' ? 3 : 1);
    }
  });
});
