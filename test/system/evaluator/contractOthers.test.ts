import assert from 'node:assert/strict';
import { copyFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { english } from '../../../src/base/english';
import { CaptiousError } from '../../../src/base/errors';
import { type Code, type Said, say, type Words } from '../../../src/base/say';
import { createBench } from '../../../src/bench/createBench';
import type { EditorModels } from '../../../src/evaluator/judge/editorModels';
import type { Evaluator } from '../../../src/evaluator/evaluator';
import type { Want } from '../../../src/protocol/item';
import { readScores, scoresEvaluator } from '../../../src/evaluator/scoresTable';
import { wantKey } from '../../../src/evaluator/wantKey';
import { npyOf } from '../../../src/repair/npy';
import {
  type Asked,
  captionOf,
  chatServer,
  type ChatServer,
  closeServers,
  completion,
  json,
} from '../../unit/evaluator/chatServer';
import { sentence } from '../../sentence';
import { turns } from '../../until';
import {
  cleanUp,
  copyOf,
  modelsPath,
  openPath,
  imageItem,
  scratch,
  valueOf,
} from '../../unit/evaluator/fixtures';
import { models, OipServer } from '../../unit/evaluator/oipServer';
import { poison } from '../../unit/evaluator/poison';

/*
 * The contract of evaluators other than model folders: external scores, judges, remote encoders and wrappers.
 * The bench scores with them, as in an audit.
 */

const wants: Want[] = ['wide.png', 'tall.png', 'small.png'].flatMap((file) =>
  ['a black cat', 'two dogs', 'a red ball on the grass', 'an old train'].map((text) => ({
    left: imageItem(file),
    right: { kind: 'text' as const, text },
  })),
);

/** So many pairs that the cancel arrives before all are scored. Only a table of scores is faster. */
const many: Want[] = Array.from({ length: 20_000 }, (_, i) => ({
  left: imageItem('wide.png'),
  right: { kind: 'text' as const, text: `a cat ${i}` },
}));

interface Setting {
  evaluator: Evaluator;
  /** Makes the evaluator's numbers NaN or infinite, or its answers invalid. */
  spoil: () => void | Promise<void>;
}

interface Kind {
  name: string;
  make: () => Promise<Setting>;
  /** After `spoil`, the error contains one of these. */
  spoiled: readonly string[];
  /** Opens an evaluator without something that it needs. The error contains `gone`. */
  missing: () => Promise<unknown>;
  gone: string;
  /** For endpoints: `down` uses a server that is down, and `slow` a server that does not answer. */
  down?: () => Promise<unknown>;
  slow?: () => Promise<unknown>;
}

const file = (said: object, folder = scratch()): string => {
  const path = join(folder, 'it.evaluator.json');
  writeFileSync(path, JSON.stringify(said));
  return path;
};

const numbers = (values: readonly number[]): Float32Array => Float32Array.from(values);
const square = (dimension: number, at: (row: number, column: number) => number) => ({
  dimension,
  values: numbers(
    Array.from({ length: dimension ** 2 }, (_, i) => at(Math.floor(i / dimension), i % dimension)),
  ),
});

/** An evaluator that looks up scores in a table. The scores follow an arbitrary formula. */
async function tableOf(change: (line: object, i: number) => object = (line) => line): Promise<Evaluator> {
  const path = join(scratch(), 'scores.jsonl');
  const lines = [...wants, ...many].map((want, i) => change({ key: wantKey(want), score: (i % 17) / 17 }, i));
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return scoresEvaluator(await readScores(path), ['image-text']);
}

const grade = (asked: Asked): number =>
  [...captionOf(asked)].reduce((sum, letter) => sum + letter.charCodeAt(0), 0) % 100;

const sure = (token: string): object => ({ token, logprob: 0, top_logprobs: [{ token, logprob: 0 }] });

const answers: Record<'judge' | 'fleur', (asked: Asked) => object> = {
  judge: (asked) => completion(JSON.stringify({ score: grade(asked) / 10 })),
  fleur: (asked) => {
    const digits = String(grade(asked)).padStart(2, '0');
    const content = ['0', '.', digits[0], digits[1]].map(sure);
    return completion(`0.${digits}`, { logprobs: { content } });
  },
};

async function judgeAt(url: string, kind: string, more: object = {}): Promise<Evaluator> {
  const evaluator = await openPath(file({ kind, endpoint: url, model: 'm', ...more }));
  await evaluator.consent!.give();
  return evaluator;
}

const notFinite = sentence('native.notFinite');

const invalidAnswers = [
  sentence('judge.answerUnreadable', 'NaN'),
  sentence('judge.answerUnreadableBecause', sentence('base.answerNotJson'), 'NaN'),
];

const judgeKind = (kind: 'judge' | 'fleur'): Kind => ({
  name: kind,
  make: async () => {
    const server: ChatServer = await chatServer((asked, response) => {
      void turns(10 * (grade(asked) % 3)).then(() => json(response, 200, answers[kind](asked)));
    });
    const evaluator = await judgeAt(server.url, kind);
    return {
      evaluator,
      spoil: () => {
        server.answer = (_asked, response) =>
          json(response, 200, completion('NaN', { logprobs: { content: [sure('NaN')] } }));
      },
    };
  },
  spoiled: invalidAnswers,
  missing: () => openPath(join(scratch(), 'nowhere.evaluator.json')),
  gone: 'nowhere.evaluator.json',
  down: async () => scored(await judgeAt('http://127.0.0.1:9/v1', kind)),
  slow: async () => {
    const server = await chatServer(() => undefined);
    return scored(await judgeAt(server.url, kind, { timeout: 0.2 }));
  },
});

const eye = { id: 'eye', vendor: 'acme', family: 'eye', version: '1', name: 'Eye' };

function editorThat(answer: (text: string) => string): EditorModels {
  return {
    find: () => Promise.resolve(eye),
    ask: async (_model, { text }) => {
      await turns(text.length % 3);
      return { text: answer(text) };
    },
  };
}

const remoteKind: Kind = {
  name: 'an encoder on a server',
  make: async () => {
    const server = await serve();
    const evaluator = await openPath(remoteFile(server.url));
    return {
      evaluator,
      spoil: () => {
        server.twist = (values) => void values.fill(NaN);
      },
    };
  },
  spoiled: [notFinite],
  missing: async () => {
    const server = await serve();
    const folder = bare();
    rmSync(join(folder, 'tokenizer.json'));
    return openPath(remoteFile(server.url, folder));
  },
  gone: 'tokenizer.json',
  down: () => openPath(remoteFile('http://127.0.0.1:9')),
  slow: async () => {
    const server = await serve();
    const evaluator = await openPath(remoteFile(server.url, bare(), { timeout: 0.2 }));
    server.mischief = () => true;
    return scored(evaluator);
  },
};

const servers: OipServer[] = [];

async function serve(): Promise<OipServer> {
  const server = await new OipServer(models).start();
  servers.push(server);
  return server;
}

/** The folder of a small model without weights. Only the server has the weights. */
function bare(): string {
  const path = copyOf('clip-two-graphs');
  rmSync(join(path, 'onnx'), { recursive: true });
  return path;
}

const remoteFile = (endpoint: string, folder = bare(), more: object = {}): string =>
  file({ kind: 'remote', endpoint, folder, text: 'clip_text', image: 'clip_vision', ...more });

/** A copy of a small model, and an evaluator file that names the copy. */
async function around(
  said: (sha256: string, folder: string) => object,
): Promise<{ path: string; model: string }> {
  const model = copyOf('clip');
  const folder = scratch();
  const { info } = await openPath(model);
  return { path: file({ encoder: model, ...said(info.sha256, folder) }, folder), model };
}

const calibratedFile = (): Promise<{ path: string; model: string }> =>
  around(() => ({
    kind: 'calibrated',
    estimator: 'shrink',
    lambda: 0.5,
    families: [{ name: 'mirrored', weight: 1, shift: 0.01, transforms: [{ op: 'hflip' }] }],
  }));

const repairedFile = (): Promise<{ path: string; model: string }> =>
  around((encoderSha256, folder) => {
    const map = (step: number) =>
      square(16, (row, column) => (row === column ? 1 : ((row + column) % step) / 50));
    writeFileSync(join(folder, 'text.npy'), npyOf(map(3)));
    writeFileSync(join(folder, 'image.npy'), npyOf(map(5)));
    return { kind: 'repaired', encoderSha256, text: 'text.npy', image: 'image.npy' };
  });

const madeOf = (name: string, make: () => Promise<{ path: string; model: string }>): Kind => ({
  name,
  make: async () => {
    const { path, model } = await make();
    return {
      evaluator: await openPath(path),
      // The evaluator may report the changed file or the NaN, so `spoiled` accepts both.
      spoil: () => poison(model),
    };
  },
  spoiled: [notFinite, sentence('model.changedDuringRun')],
  missing: async () => {
    const { path, model } = await make();
    rmSync(join(model, 'tokenizer.json'));
    return openPath(path);
  },
  gone: 'tokenizer.json',
});

let letters = (text: string): string => JSON.stringify({ score: (text.length % 40) / 4 });

const kinds: Kind[] = [
  {
    name: 'scores made elsewhere',
    make: async () => {
      let spoiled = false;
      const [good, bad] = [await tableOf(), await tableOf((line) => ({ ...line, score: null }))];
      const evaluator = { ...good, lookUp: (list: readonly Want[]) => (spoiled ? bad : good).lookUp!(list) };
      return { evaluator, spoil: () => void (spoiled = true) };
    },
    spoiled: [sentence('evaluator.scoreInFileIs', 'NaN')],
    missing: () => readScores(join(scratch(), 'nowhere.jsonl')),
    gone: 'nowhere.jsonl',
  },
  judgeKind('judge'),
  judgeKind('fleur'),
  {
    name: 'a language model of VS Code',
    make: async () => {
      letters = (text) => JSON.stringify({ score: (text.length % 40) / 4 });
      const evaluator = await openPath('vscode.lm:eye', { editor: editorThat((text) => letters(text)) });
      await evaluator.consent!.give();
      return { evaluator, spoil: () => void (letters = () => 'NaN') };
    },
    spoiled: invalidAnswers,
    missing: () => openPath('vscode.lm:eye'),
    gone: sentence('judge.useEditorOrEndpoint'),
  },
  remoteKind,
  madeOf('calibrated', calibratedFile),
  madeOf('repaired', repairedFile),
];

async function scored(
  evaluator: Evaluator,
  list: readonly Want[] = wants,
  signal?: AbortSignal,
  batchSize?: number,
) {
  const bench = createBench({ batchSize });
  try {
    return await bench.scores(evaluator, list, signal);
  } finally {
    await bench.close();
  }
}

/** The error message of opening or scoring. Scoring may return an error for each pair instead of throwing. */
async function toldBy(promise: Promise<unknown>): Promise<string> {
  return promise.then(
    (value) =>
      Array.isArray(value)
        ? (value as { problem?: Words }[]).map(({ problem }) => english(problem ?? '')).join('\n')
        : '',
    (error: unknown) => {
      assert.ok(error instanceof CaptiousError, String(error));
      return error.describe();
    },
  );
}

for (const { name, make, spoiled, missing, gone, down, slow } of kinds) {
  describe(`the contract, asked through the bench, kept by ${name}`, () => {
    afterEach(async () => {
      await cleanUp();
      await closeServers();
      await Promise.all(servers.splice(0).map((server) => server.stop()));
    });

    it('gives identical bits for a pair alone, in any batch, position and instance', async () => {
      const { evaluator } = await make();
      const together = (await scored(evaluator)).map(valueOf);
      assert.ok(new Set(together).size > 3, 'the scores differ');
      const alone: number[] = [];
      for (const want of wants.slice(0, 4)) alone.push(valueOf((await scored(evaluator, [want]))[0]));
      assert.deepEqual(alone, together.slice(0, 4));
      assert.deepEqual(
        (await scored(evaluator, [...wants].reverse(), undefined, 3)).map(valueOf).reverse(),
        together,
      );
      assert.deepEqual((await scored((await make()).evaluator, wants, undefined, 2)).map(valueOf), together);
    });

    it('can be cancelled during scoring, and works afterwards', async () => {
      const { evaluator } = await make();
      const before = (await scored(evaluator, wants.slice(0, 2))).map(valueOf);
      const stop = new AbortController();
      // A table scores at once, so the request is cancelled before it starts.
      if (evaluator.lookUp !== undefined) stop.abort();
      const scoring = createBench({
        onProgress: ({ done }) => {
          if (done > 0) stop.abort();
        },
      });
      await assert.rejects(scoring.scores(evaluator, many, stop.signal), { kind: 'interrupted' });
      await scoring.close();
      assert.deepEqual((await scored(evaluator, wants.slice(0, 2))).map(valueOf), before);
    });

    it('names what is missing', async () => {
      const told = await toldBy(missing());
      assert.ok(told.includes(gone), told);
    });

    it('gives no score for non-finite numbers or invalid answers', async () => {
      const { evaluator, spoil } = await make();
      await spoil();
      const told = await toldBy(scored(evaluator));
      assert.ok(
        spoiled.some((text) => told.includes(text)),
        told,
      );
    });

    if (down !== undefined)
      it('says that the server cannot be reached', async () => {
        const unreachable = ['judge.endpointUnreachable', 'remote.serverUnreachable'] as const;
        const told = await toldBy(down());
        assert.ok(
          unreachable.some((code) => told.includes(sentence(code, 'bad port'))),
          told,
        );
      });
    if (slow !== undefined)
      it('waits no longer than its deadline', async () => {
        const late = ['judge.endpointTimeout', 'remote.serverTimeout'] as const;
        const told = await toldBy(slow());
        assert.ok(
          late.some((code) => told.includes(sentence(code, 0.2))),
          told,
        );
      });
  });
}

describe('an encoder with a linear map after each tower', () => {
  afterEach(cleanUp);

  it('applies its maps to the encoder’s embeddings', async () => {
    const { path, model } = await repairedFile();
    const [mapped, plain] = [await openPath(path), await openPath(model)];
    for (const [own, inner, step] of [
      [await mapped.embedTexts!(['two dogs']), await plain.embedTexts!(['two dogs']), 3],
      [
        await mapped.embedImages!([imageItem('wide.png')]),
        await plain.embedImages!([imageItem('wide.png')]),
        5,
      ],
    ] as const) {
      const row = valueOf(inner[0]);
      const expected = Array.from(row, (_, i) =>
        row.reduce((sum, x, j) => sum + x * Math.fround(i === j ? 1 : ((i + j) % step) / 50), 0),
      );
      valueOf(own[0]).forEach((value, i) => assert.equal(value, Math.fround(expected[i])));
    }
    assert.equal(mapped.info.dimension, plain.info.dimension);
    assert.deepEqual(mapped.info.scores, plain.info.scores);
  });

  it('stores the encoder’s embeddings, not its own, and has other keys', async () => {
    const { path, model } = await repairedFile();
    const home = scratch();
    const store = join(home, 'store');
    const [mapped, plain] = [await openPath(path, { home }), await openPath(model, { home })];
    assert.notEqual(mapped.info.textKey, plain.info.textKey);
    assert.notEqual(mapped.info.imageKey, plain.info.imageKey);
    assert.notEqual(mapped.info.sha256, plain.info.sha256);
    const first = createBench({ store });
    await first.scores(plain, wants);
    await first.close();
    let fromStore = 0;
    const second = createBench({ store, onProgress: (progress) => (fromStore = progress.fromStore) });
    const warm = (await second.scores(mapped, wants)).map(valueOf);
    await second.close();
    // The embeddings of three images and four texts came from the store.
    assert.equal(fromStore, 7);
    assert.deepEqual(warm, (await scored(mapped)).map(valueOf));
    assert.notDeepEqual(warm, (await scored(plain)).map(valueOf));
  });

  it('rejects another encoder, maps of another size or with missing values, and files that are no matrix', async () => {
    const rejected = async (
      act: (folder: string, model: string) => void,
      field: string,
      reason: (folder: string, model: string) => Said | Promise<Said>,
      remedy?: Code,
    ): Promise<void> => {
      const { path, model } = await repairedFile();
      act(join(path, '..'), model);
      const error: unknown = await openPath(path).catch((thrown: unknown) => thrown);
      assert.ok(error instanceof CaptiousError, String(error));
      assert.deepEqual(error.what, say('evaluator.keyProblem', field, await reason(join(path, '..'), model)));
      if (remedy !== undefined) assert.deepEqual(error.details.remedy, say(remedy));
    };
    const tokenizer = join(modelsPath, 'bert-cls', 'tokenizer.json');
    await rejected(
      (_folder, model) => copyFileSync(tokenizer, join(model, 'tokenizer.json')),
      'encoderSha256',
      async (_folder, model) =>
        say('evaluator.repairEncoderChanged', model, (await openPath(model)).info.sha256),
      'evaluator.restoreEncoderOrRepair',
    );
    const put = (dimension: number, value: number) => (folder: string) =>
      writeFileSync(join(folder, 'image.npy'), npyOf(square(dimension, () => value)));
    const [image, text] = [
      (folder: string) => join(folder, 'image.npy'),
      (folder: string) => join(folder, 'text.npy'),
    ];
    await rejected(put(4, 1), 'image', (folder) =>
      say('evaluator.repairMapShapeWrong', image(folder), 4, 4, 16, 16),
    );
    await rejected(put(16, Infinity), 'image', (folder) =>
      say('evaluator.repairMapNotFinite', image(folder)),
    );
    await rejected(
      (folder) => writeFileSync(text(folder), 'nothing of the kind'),
      'text',
      (folder) => say('evaluator.repairMapUnreadable', text(folder), say('embeddings.npyInvalid')),
    );
    await rejected(
      (folder) => rmSync(text(folder)),
      'text',
      (folder) => {
        const reason = `ENOENT: no such file or directory, open '${text(folder)}'`;
        return say('evaluator.repairMapUnreadable', text(folder), reason);
      },
    );
  });

  it('cannot be made from an encoder of texts only', async () => {
    const { info } = await openPath(join(modelsPath, 'bert-cls'));
    const folder = scratch();
    for (const tower of ['text', 'image'])
      writeFileSync(join(folder, `${tower}.npy`), npyOf(square(32, (row, column) => Number(row === column))));
    const said = { kind: 'repaired', encoder: join(modelsPath, 'bert-cls'), encoderSha256: info.sha256 };
    await assert.rejects(openPath(file({ ...said, text: 'text.npy', image: 'image.npy' }, folder)), {
      what: say('evaluator.noSharedSpace', info.name),
      remedy: sentence('evaluator.repairUseDualEncoder'),
    });
  });
});
