import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { cp, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HubServer } from '../unit/evaluator/hubServer';
import { expectEventually, type Opened, windowFor } from './steps';
import { disappears, repository } from './vscode';

const models = join(repository, 'test/fixtures/models');
const files = [
  ...['config.json', 'preprocessor_config.json', 'tokenizer.json', 'tokenizer_config.json'],
  ...['onnx/text_model.onnx', 'onnx/vision_model.onnx'],
];
/** A built-in encoder without recorded hashes, so the test can serve a small encoder instead. */
const known = { id: 'clip-vit-large-patch14-336', hub: 'Xenova/clip-vit-large-patch14-336' };

describe('"Add evaluator…"', function () {
  this.timeout(5 * 60_000);
  let opened: Opened;
  let hub: HubServer;

  windowFor(
    'add-evaluator',
    {
      settings: { 'files.simpleDialog.enable': true },
      async fill({ workspace }) {
        await cp(join(repository, 'test/host/workspace/triplets.tsv'), join(workspace, 'triplets.tsv'));
        await cp(join(models, 'bert-cls'), join(workspace, 'bert-cls'), { recursive: true });
        const contents = await Promise.all(
          files.map(async (path) => [path, await readFile(join(models, 'clip-two-graphs', path))] as const),
        );
        hub = await new HubServer(new Map(contents), known.hub).start();
      },
      env: ({ scratch }) => ({ HF_ENDPOINT: hub.url, HF_HUB_CACHE: join(scratch, 'cache') }),
    },
    (window) => (opened = window),
  );
  after(() => hub.stop());

  const dialog = () => opened.code.page.locator('.monaco-dialog-box');
  const button = (name: string) => dialog().getByRole('button', { name, exact: true });

  async function choose(label: string): Promise<void> {
    await opened.code.quickInput.locator('.monaco-list-row', { hasText: label }).first().click();
  }

  async function download(): Promise<void> {
    const { code } = opened;
    await code.command('Captious: Add Evaluator');
    await choose('Known encoder…');
    await code.quickInput.locator('.quick-input-title', { hasText: 'Known encoder' }).waitFor();
    await choose(known.hub);
    await dialog().getByText(`Source: ${hub.url}`).waitFor();
    await dialog().getByText(known.hub).waitFor();
    await dialog().getByText('Licence: ').waitFor();
  }

  it('downloads nothing before you agree', async () => {
    await download();
    await button('Cancel').click();
    assert.equal(await disappears(dialog(), 10_000), true);
    assert.deepEqual(hub.requests, []);
  });

  it('downloads a known encoder, scores a sample, and removes it unless you keep it', async () => {
    const installed = join(opened.home, 'models', known.id);
    await download();
    await button('Download').click();
    await dialog()
      .getByText(/ works\. Score of a sample: −?-?[\d.]+/)
      .waitFor();
    await dialog().getByText('Image: ').waitFor();
    assert.deepEqual(
      hub.requests.map(({ path }) => files.find((file) => path.endsWith(`/${file}`))).sort(),
      [...files].sort(),
    );
    await button('Cancel').click();
    await expectEventually(() => Promise.resolve(!existsSync(installed)));

    await download();
    await button('Download').click();
    await dialog()
      .getByText(/ works\. Score of a sample: /)
      .waitFor();
    await button('Keep').click();
    assert.equal(await disappears(dialog(), 10_000), true);
    const fetched = JSON.parse(await readFile(join(installed, 'fetched.json'), 'utf8')) as { hub: string };
    assert.equal(fetched.hub, known.hub);
  });

  it('scores a sample with the encoder of a folder before you keep it', async () => {
    const { code } = opened;
    await code.command('Captious: Add Evaluator');
    await choose('Model folder…');
    await code.quickInput
      .locator('.quick-input-title', { hasText: 'Select the folder of a model' })
      .waitFor();
    const entry = (name: string) => code.quickInput.locator('.monaco-list-row', { hasText: name }).first();
    await entry('bert-cls').click();
    await entry('onnx').waitFor();
    await code.quickInput.locator('.quick-input-action', { hasText: 'OK' }).click();
    await dialog().getByText('bert-cls works. Score of a sample: ').waitFor();
    // A text encoder compares two captions.
    await dialog().getByText('Other caption: ').waitFor();
    await button('Keep').click();
    assert.equal(await disappears(dialog(), 10_000), true);
  });
});
