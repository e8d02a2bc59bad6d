import { isDeepStrictEqual } from 'node:util';
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CaptiousError } from '../../../../src/base/errors';
import { type Code, findSaid, say } from '../../../../src/base/say';
import { createBench } from '../../../../src/bench/createBench';
import { ChatProblem } from '../../../../src/evaluator/judge/chat';
import {
  type EditorAnswer,
  EditorChat,
  type EditorModel,
  type EditorModels,
  type EditorQuestion,
} from '../../../../src/evaluator/judge/editorModels';
import type { Evaluator } from '../../../../src/evaluator/evaluator';
import { defaultRubric } from '../../../../src/evaluator/judge/judgePrompt';
import { openEvaluator } from '../../../../src/evaluator/open';
import { until } from '../../../until';
import { cleanUp, openPath, imageItem, scratch, valueOf } from '../fixtures';

const model: EditorModel = { id: 'eye-1', vendor: 'acme', family: 'eye', version: '2', name: 'Acme Eye' };

class Editor implements EditorModels {
  readonly asked: (EditorQuestion & { model: string })[] = [];
  version = model.version;

  constructor(
    private readonly answer: (question: EditorQuestion, call: number) => EditorAnswer | Promise<EditorAnswer>,
  ) {}

  find(name: string): Promise<EditorModel> {
    if (name !== model.id && name !== model.family)
      throw new CaptiousError('usage', `This editor has no language model ${name}.`);
    return Promise.resolve({ ...model, version: this.version });
  }

  async ask(asked: string, question: EditorQuestion, signal?: AbortSignal): Promise<EditorAnswer> {
    signal?.throwIfAborted();
    this.asked.push({ ...question, model: asked });
    return this.answer(question, this.asked.length);
  }
}

const says = (text: string) => (): EditorAnswer => ({ text });
const pair = { image: imageItem('wide.png'), text: 'a cat' };

async function problemOf(promise: Promise<unknown>): Promise<CaptiousError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CaptiousError, String(error));
  return error;
}

async function judge(editor: Editor, ref = 'vscode.lm:eye-1', home = scratch()): Promise<Evaluator> {
  const evaluator = await openPath(ref, { home, editor });
  await evaluator.consent!.give();
  return evaluator;
}

describe('a language model of VS Code as a judge', () => {
  afterEach(cleanUp);

  it('sends the rubric, the image as data and the fenced caption, and runs the canary test', async () => {
    const editor = new Editor(says('{"score": 7}'));
    const evaluator = await judge(editor);
    const { info } = evaluator;
    assert.deepEqual(
      [info.id, info.name, info.kind, info.scores, info.scale],
      ['vscode.lm:eye-1', 'Acme Eye (acme)', 'judge', ['image-text'], { name: 'own', low: 0, high: 10 }],
    );
    assert.equal(valueOf((await evaluator.scorePairs!([pair]))[0]), 7);
    assert.equal(editor.asked.length, 3);
    const [bare, bold, own] = editor.asked;
    assert.ok(
      editor.asked.every(({ orders, model: to }) => orders.includes(defaultRubric) && to === 'eye-1'),
    );
    assert.doesNotMatch(bare.text, /Note to the grader/);
    assert.match(bold.text, /Note to the grader/);
    assert.match(own.text, /(caption-\w+)\na cat\n\1/);
    assert.equal(own.image.mime, 'image/png');
    assert.equal(Buffer.from(own.image.bytes.subarray(1, 4)).toString('latin1'), 'PNG');
    assert.ok(info.notes.some((note) => findSaid(note, 'judge.canaryResists')));
    const named = say('judge.editorModelUsed', 'eye-1', 'acme', 'eye', '2');
    assert.ok(info.notes.some((note) => isDeepStrictEqual(note, named)));
  });

  it('can be named by family, and another version is another judge', async () => {
    const editor = new Editor(says('{"score": 7}'));
    const byFamily = await judge(editor, 'vscode.lm:eye');
    assert.equal(byFamily.info.sha256, (await judge(editor)).info.sha256);
    editor.version = '3';
    assert.notEqual((await judge(editor)).info.sha256, byFamily.info.sha256);
    assert.match((await problemOf(judge(editor, 'vscode.lm:ear'))).message, /no language model ear/);
  });

  it('fails outside the editor with a remedy', async () => {
    const error = await problemOf(openEvaluator('vscode.lm:eye-1', { home: scratch() }));
    assert.equal(error.kind, 'usage');
    assert.deepEqual(error.what, say('judge.editorModelOutsideEditor', 'vscode.lm', 'eye-1'));
    assert.deepEqual(error.details.remedy, say('judge.useEditorOrEndpoint'));
  });

  it('sends nothing without consent, which is stored', async () => {
    const home = scratch();
    const editor = new Editor(says('{"score": 7}'));
    const first = await openPath('vscode.lm:eye-1', { home, editor });
    await assert.rejects(first.scorePairs!([pair]), { what: say('remote.consentMissing') });
    assert.equal(editor.asked.length, 0);
    const terms = findSaid(first.consent!.terms(12), 'judge.termsAtMost');
    assert.deepEqual(terms?.values.slice(0, 4), [
      say('judge.sendsCaptionsImages'),
      'vscode.lm (acme)',
      'eye-1',
      '12',
    ]);
    assert.deepEqual(terms.values[6], say('judge.costOfPlan'));
    await first.consent!.give();
    assert.equal((await openPath('vscode.lm:eye', { home, editor })).consent!.given, true);
  });

  it('accepts an answer in a code block, but not in prose', async () => {
    for (const text of ['```json\n{"score": 4}\n```', '```\n{"score": 4}```\n', ' {"score": 4} ']) {
      const evaluator = await judge(new Editor(says(text)));
      assert.equal(valueOf((await evaluator.scorePairs!([pair]))[0]), 4, text);
    }
    for (const text of ['It is a 4: {"score": 4}', '```json\n{"score": 40}\n```', '']) {
      const evaluator = await judge(new Editor(says(text)));
      assert.equal((await evaluator.scorePairs!([pair]))[0].ok, false, text);
    }
  });

  it('asks once per pair: the bench stores its answers', async () => {
    const editor = new Editor(says('{"score": 7}'));
    const home = scratch();
    for (let run = 0; run < 2; run++) {
      const evaluator = await judge(editor, 'vscode.lm:eye-1', home);
      const bench = createBench({ store: join(home, 'store') });
      const want = { left: pair.image, right: { kind: 'text' as const, text: pair.text } };
      assert.equal(valueOf((await bench.scores(evaluator, [want, want]))[0]), 7);
      await bench.close();
    }
    assert.equal(editor.asked.length, 3);
  });

  it('can be cancelled while it waits', async () => {
    const editor = new Editor((_question, call) =>
      call <= 2 ? { text: '{"score": 1}' } : new Promise<EditorAnswer>(() => undefined),
    );
    const evaluator = await judge(editor);
    const stop = new AbortController();
    const call = problemOf(evaluator.scorePairs!([pair], stop.signal));
    await until(() => editor.asked.length === 3);
    stop.abort();
    assert.equal((await call).kind, 'interrupted');
  });

  describe('configured by a file', () => {
    const file = (more: object): string => {
      const path = join(scratch(), 'eye.evaluator.json');
      writeFileSync(path, JSON.stringify({ kind: 'judge', endpoint: 'vscode.lm', model: 'eye', ...more }));
      return path;
    };

    it('uses another rubric and a smaller image size', async () => {
      const editor = new Editor(says('{"score": 2}'));
      const evaluator = await judge(editor, file({ rubric: 'Count the dogs.', image: { side: 32 } }));
      assert.equal(evaluator.info.id, 'eye');
      assert.equal(valueOf((await evaluator.scorePairs!([pair]))[0]), 2);
      const { orders, image: sent } = editor.asked[2];
      assert.match(orders, /Count the dogs\./);
      const view = new DataView(sent.bytes.buffer, sent.bytes.byteOffset);
      assert.equal(Math.max(view.getUint32(16), view.getUint32(20)), 32);
    });

    const wrong: [object, field: string, Code][] = [
      [{ keyFrom: 'MY_KEY' }, 'keyFrom', 'judge.keyNotForEditor'],
      [{ price: { input: 1, output: 1 } }, 'price', 'judge.keyNotForEditor'],
      [{ kind: 'fleur' }, 'kind', 'judge.fleurNotInEditor'],
      [{ model: '' }, 'model', 'judge.fieldEmpty'],
    ];
    for (const [more, field, code] of wrong)
      it(`rejects ${JSON.stringify(more)}`, async () => {
        const what = say('evaluator.keyProblem', field, say(code));
        await assert.rejects(openPath(file(more), { editor: new Editor(says('')) }), { what });
      });
  });

  describe('without an answer', () => {
    const question = {
      orders: 'o',
      text: 't',
      image: { mime: 'image/png' as const, bytes: Uint8Array.of(1) },
      probabilities: false,
    };
    const chat = (editor: Editor, deadlineMs = 5000): EditorChat =>
      new EditorChat(editor, { model, deadlineMs, firstWaitMs: 1 });

    it('is retried, and given up if it never answered', async () => {
      const third = new Editor((_question, call) =>
        call < 3 ? { trouble: 'busy', blocked: false } : { text: 'yes' },
      );
      assert.equal((await chat(third).ask(question)).text, 'yes');
      const never = new Editor(() => ({ trouble: 'busy', blocked: false }));
      const error = await problemOf(chat(never).ask(question));
      assert.equal(never.asked.length, 4);
      assert.equal(error.at, 'vscode.lm:eye-1');
      assert.deepEqual(error.what, say('judge.editorModelFailed', 'Acme Eye', 'busy'));
      assert.deepEqual(error.details.remedy, say('judge.checkEditorModel'));
    });

    it('leaves out one pair if others are answered, and stops the run if the editor blocks all requests', async () => {
      const editor = new Editor(({ text }) =>
        text === 'odd' ? { trouble: 'filtered', blocked: false } : { text: 'yes' },
      );
      const asking = chat(editor);
      await asking.ask(question);
      await assert.rejects(asking.ask({ ...question, text: 'odd' }), ChatProblem);
      const blocked = new Editor((_question, call) =>
        call === 1 ? { text: 'yes' } : { trouble: 'quota', blocked: true },
      );
      const stopped = chat(blocked);
      await stopped.ask(question);
      assert.equal((await problemOf(stopped.ask(question))).kind, 'interrupted');
      assert.equal(blocked.asked.length, 3);
    });

    it('waits no longer than the deadline', async () => {
      const editor = new Editor(() => new Promise<EditorAnswer>(() => undefined));
      const error = await problemOf(chat(editor, 50).ask(question));
      assert.deepEqual(error.what, say('judge.editorModelTimeout', 'Acme Eye', 0.05));
      assert.equal(editor.asked.length, 2);
    });
  });
});
