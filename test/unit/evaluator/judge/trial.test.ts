import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ChatKind } from '../../../../src/evaluator/judge/presets';
import { type Trial, tryChatFile } from '../../../../src/evaluator/judge/trial';
import { openEvaluator } from '../../../../src/evaluator/open';
import { type ChatServer, chatServer, closeServers, completion, json, imageOf } from '../chatServer';
import { cleanUp, imageItem, scratch, valueOf } from '../fixtures';

const caption = 'A truck.';

function tried(file: { kind: ChatKind } & Record<string, unknown>): Promise<Trial> {
  const { signal } = new AbortController();
  return tryChatFile(file, {
    ...{ home: scratch(), secret: () => undefined, image: imageItem('wide.png'), caption, signal },
  });
}

describe('a trial of an evaluator', () => {
  let server: ChatServer;
  beforeEach(async () => {
    server = await chatServer((_, response) => json(response, 200, completion('{"score": 8}')));
  });
  afterEach(async () => {
    await closeServers();
    await cleanUp();
  });

  it('sends the same request as an audit, with the image in the size and format of the file', async () => {
    const file = {
      ...{ kind: 'judge' as const, endpoint: server.url, model: 'tiny' },
      image: { side: 40, format: 'jpeg' },
    };
    const { outcome, said, low, high } = await tried(file);
    assert.deepEqual([outcome, said, low, high], [{ ok: true, value: 8 }, '{"score": 8}', 0, 10]);
    assert.equal(server.asked.length, 1);
    assert.equal(imageOf(server.asked[0]).mime, 'image/jpeg');

    const path = join(scratch(), 'mine.evaluator.json');
    writeFileSync(path, JSON.stringify(file));
    const evaluator = await openEvaluator(path, { home: scratch() });
    await evaluator.consent!.give();
    const [audited] = await evaluator.scorePairs!([{ image: imageItem('wide.png'), text: caption }]);
    await evaluator.close();
    assert.equal(valueOf(audited), 8);
    assert.deepEqual(server.asked.at(-1)!.body, server.asked[0].body);
  });

  it('shows the problem of an image that cannot be read, and sends nothing', async () => {
    const { signal } = new AbortController();
    const trial = await tryChatFile(
      { kind: 'judge', endpoint: server.url, model: 'tiny' },
      {
        ...{ home: scratch(), secret: () => undefined, caption, signal },
        image: imageItem('no such image.png'),
      },
    );
    assert.equal(trial.outcome.ok, false);
    assert.equal(server.asked.length, 0);
  });
});
