import assert from 'node:assert/strict';
import { cp, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import {
  captionOf,
  type ChatServer,
  chatServer,
  closeServers,
  completion,
  json,
} from '../unit/evaluator/chatServer';
import { answerBox, audit as auditBy, expectEventually, type Opened, windowFor } from './steps';
import { repository } from './vscode';

const [first, second] = ['hush-hush-1', 'hush-hush-2'];
const captions = ['Two red dogs on a sofa', 'A cat near three cars'];

/** All files below a folder as one text. */
async function textOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const texts = files
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => readFile(join(parentPath, name), 'latin1'));
  return (await Promise.all(texts)).join('\n');
}

describe('the key of a judge', function () {
  this.timeout(5 * 60_000);
  let opened: Opened;
  let server: ChatServer;

  windowFor(
    'keys',
    {
      fill: async ({ workspace, home }) => {
        server = await chatServer((asked, response) =>
          asked.authorization === `Bearer ${first}` || asked.authorization === `Bearer ${second}`
            ? json(
                response,
                200,
                completion(JSON.stringify({ score: Math.min(10, captionOf(asked).length / 10) })),
              )
            : json(response, 401, { error: { message: 'Who are you?' } }),
        );
        const judge = join(home, 'models/judge');
        await mkdir(judge, { recursive: true });
        const file = { kind: 'judge', endpoint: server.url, model: 'tiny', keyFrom: 'CAPTIOUS_TRIED_KEY' };
        await writeFile(join(judge, 'evaluator.json'), JSON.stringify(file));
        await cp(join(repository, 'test/fixtures/models/pictures/wide.png'), join(workspace, 'wide.png'));
        for (const [i, caption] of captions.entries())
          await writeFile(
            join(workspace, `judged-${i}.jsonl`),
            `${JSON.stringify({ image: 'wide.png', caption })}\n`,
          );
      },
    },
    (window) => (opened = window),
  );
  after(closeServers);

  async function setKey(key: string): Promise<void> {
    await opened.code.command('Captious: Set Evaluator Key');
    await answerBox(opened.code, 'Set a key for an evaluator', 'CAPTIOUS_TRIED_KEY');
    const box = opened.code.quickInput.locator('input').first();
    await expectEventually(async () => (await box.getAttribute('type')) === 'password');
    await answerBox(opened.code, 'Key CAPTIOUS_TRIED_KEY', key);
  }

  async function audit(name: string): Promise<void> {
    await auditBy(opened.code, name, 'LGIP', 'tiny');
  }

  /** Accepts the consent dialog if it appears before `next`. The editor asks for consent only once. */
  async function consentUntil(next: Locator): Promise<void> {
    const send = opened.code.page.getByRole('button', { name: 'Send', exact: true });
    await expectEventually(async () => {
      if (await send.isVisible()) await send.click();
      return (await next.count()) > 0;
    });
  }

  const shown = (name: string) =>
    opened.code.page.locator('.tab.active', { hasText: `${name} · LGIP` }).first();

  it('is set once, goes to its endpoint, and is written nowhere', async () => {
    await opened.code.openFile('judged-0.jsonl');
    await opened.code.page.locator('.codelens-decoration a', { hasText: 'Audit' }).waitFor();
    await setKey(first);
    await audit('judged-0.jsonl');
    await shown('judged-0.jsonl').waitFor();
    await consentUntil(opened.code.panel().locator('.grid-row'));
    assert.ok(server.asked.length > 2);
    assert.deepEqual(
      [...new Set(server.asked.map(({ authorization }) => authorization))],
      [`Bearer ${first}`],
    );
    for (const folder of [opened.home, opened.workspace])
      assert.ok(!(await textOf(folder)).includes(first), folder);
  });

  it('is requested again after it was removed', async () => {
    await setKey('');
    const before = server.asked.length;
    await audit('judged-1.jsonl');
    const title = opened.code.quickInput.locator('.quick-input-title', { hasText: 'Key CAPTIOUS_TRIED_KEY' });
    await consentUntil(title);
    await answerBox(opened.code, 'Key CAPTIOUS_TRIED_KEY', second);
    await shown('judged-1.jsonl').waitFor();
    await opened.code.panel().locator('.grid-row').first().waitFor();
    const since = server.asked.slice(before).map(({ authorization }) => authorization);
    assert.deepEqual([...new Set(since)], [`Bearer ${second}`]);
  });
});
