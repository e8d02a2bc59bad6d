import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  type Asked,
  type ChatServer,
  chatServer,
  closeServers,
  completion,
  json,
} from '../unit/evaluator/chatServer';
import { answerBox, type Opened, saveAsProposed, windowFor } from './steps';

describe('"New evaluator…"', function () {
  this.timeout(5 * 60_000);
  let opened: Opened;
  let server: ChatServer;

  windowFor(
    'new-evaluator',
    {
      fill: async ({ workspace }) => {
        await writeFile(join(workspace, 'notes.txt'), 'An empty folder has no rows to wait for.\n');
        server = await chatServer((_, response) => json(response, 200, completion('{"score": 8}')));
      },
    },
    (window) => (opened = window),
  );
  after(closeServers);

  it('fills the fields of a preset, shows the answer to a sample image, and saves the file', async () => {
    const { code, workspace } = opened;
    await code.command('Captious: New Evaluator');
    const choose = async (title: string, label: string): Promise<void> => {
      await code.quickInput.locator('.quick-input-title', { hasText: title }).waitFor();
      await code.quickInput.locator('.quick-input-list .monaco-list-row', { hasText: label }).first().click();
    };
    await choose('New evaluator', 'Model server');
    await choose('New evaluator', 'Ollama');
    const box = code.quickInput.locator('input').first();
    await code.quickInput.locator('.quick-input-title', { hasText: 'Ollama (1 of 5)' }).waitFor();
    assert.equal(await box.inputValue(), 'http://localhost:11434/v1');
    await answerBox(code, 'Ollama (1 of 5)', 'no address');
    await code.quickInput.getByText('Enter an address that begins with http:// or https://.').waitFor();
    await answerBox(code, 'Ollama (1 of 5)', server.url);
    await answerBox(code, 'Ollama (2 of 5)', 'tiny');
    await answerBox(code, 'Ollama (3 of 5)', '');
    await choose('Ollama (4 of 5)', 'Judge');
    await code.quickInput.locator('.quick-input-title', { hasText: 'Ollama (5 of 5)' }).waitFor();
    assert.equal(await box.inputValue(), 'tiny (judge)');
    await answerBox(code, 'Ollama (5 of 5)', 'My judge');

    const dialog = code.page.locator('.monaco-dialog-box');
    await dialog.getByText(`to the model tiny at ${server.url}`).waitFor();
    assert.equal(server.asked.length, 0, 'nothing is sent before you agree');
    await dialog.getByRole('button', { name: 'Cancel', exact: true }).click();
    // The form appears again with the same fields.
    for (const [i, value] of [server.url, 'tiny', ''].entries()) {
      await code.quickInput.locator('.quick-input-title', { hasText: `Ollama (${i + 1} of 5)` }).waitFor();
      assert.equal(await box.inputValue(), value);
      await box.press('Enter');
    }
    await choose('Ollama (4 of 5)', 'Judge');
    await code.quickInput.locator('.quick-input-title', { hasText: 'Ollama (5 of 5)' }).waitFor();
    assert.equal(await box.inputValue(), 'My judge');
    await box.press('Enter');
    await dialog.getByText(`to the model tiny at ${server.url}`).waitFor();
    await dialog.getByRole('button', { name: 'Try', exact: true }).click();
    await dialog.getByText('Score of a sample image: 8').waitFor();
    await dialog.getByText('Answer: {"score": 8}').waitFor();
    await dialog.getByText('Range: 0 to 10').waitFor();
    const urls = server.asked.map(imagesIn);
    assert.deepEqual(urls.length, 1, 'one question');
    assert.deepEqual(
      urls[0].map((url) => url.slice(0, 22)),
      ['data:image/png;base64,'],
      'one image, as an audit sends it',
    );

    await dialog.getByRole('button', { name: 'Save', exact: true }).click();
    await saveAsProposed(code, 'My-judge.evaluator.json');
    await code.page.locator('.tab.active', { hasText: 'My-judge.evaluator.json' }).waitFor();
    const written = await readFile(join(workspace, 'My-judge.evaluator.json'), 'utf8');
    assert.deepEqual(JSON.parse(written), {
      kind: 'judge',
      name: 'My judge',
      endpoint: server.url,
      model: 'tiny',
    });
  });
});

function imagesIn({ body }: Asked): string[] {
  const { content } = body.messages[1];
  return typeof content === 'string' ? [] : content.flatMap(({ image_url: image }) => image?.url ?? []);
}
