import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as vscode from 'vscode';

interface Contributes {
  colors: { id: string; description: string; defaults: Record<string, string> }[];
  commands: { command: string; title: string }[];
  keybindings: { command: string; key: string; when: string }[];
  configuration: {
    properties: Record<string, { enum?: string[]; markdownEnumDescriptions?: string[]; scope?: string }>;
  };
  menus: Record<string, { command: string }[]>;
  languageModelTools: { name: string; inputSchema: object; modelDescription: string }[];
  jsonValidation: { fileMatch: string | string[]; url: string }[];
  yamlValidation: { fileMatch: string | string[]; url: string }[];
  snippets: { language: string; path: string }[];
  views: Record<string, { id: string; icon: string }[]>;
  viewsContainers: Record<string, { id: string; icon: string }[]>;
  viewsWelcome: { view: string; contents: string }[];
  walkthroughs: { steps: { id: string; media: { svg: string }; completionEvents: string[] }[] }[];
}

const repository = process.env.CAPTIOUS_REPOSITORY!;
const extension = () => vscode.extensions.getExtension('captious.captious')!;
const contributes = () => (extension().packageJSON as { contributes: Contributes }).contributes;
const inExtension = (path: string) => join(extension().extensionPath, path);

/** The sources of the tests in test/host and test/e2e, except this file. */
const tests = ['test/host', 'test/e2e']
  .flatMap((folder) => readdirSync(join(repository, folder)).map((name) => join(repository, folder, name)))
  .filter((path) => path.endsWith('.test.ts') && !path.endsWith('contributes.test.ts'))
  .map((path) => readFileSync(path, 'utf8'));
const isTried = (...names: string[]) => tests.some((text) => names.some((name) => text.includes(name)));

/** Checks every contribution in package.json, so that each new contribution needs a test. */
describe('contributions', () => {
  it('are all of kinds that this test checks', () => {
    assert.deepEqual(Object.keys(contributes()).sort(), [
      'colors',
      'commands',
      'configuration',
      'customEditors',
      'jsonValidation',
      'keybindings',
      'languageModelTools',
      'languages',
      'mcpServerDefinitionProviders',
      'menus',
      'snippets',
      'views',
      'viewsContainers',
      'viewsWelcome',
      'walkthroughs',
      'yamlValidation',
    ]);
  });

  it('commands: each is registered, and run or chosen by its title in a test', async () => {
    await extension().activate();
    const known = new Set(await vscode.commands.getCommands(true));
    const missing = contributes().commands.filter(
      ({ command, title }) =>
        !known.has(command) || !isTried(`'${command}'`, `Captious: ${title.replace('…', '')}`, `'${title}'`),
    );
    assert.deepEqual(missing, []);
  });

  it('colors: each has a value for the four kinds of themes, and the source uses it', () => {
    const source = readFileSync(join(repository, 'src/editor/words/wordInfluence.ts'), 'utf8');
    for (const { id, description, defaults } of contributes().colors) {
      assert.ok(!description.startsWith('%'), id);
      assert.deepEqual(
        Object.keys(defaults).sort(),
        ['dark', 'highContrast', 'highContrastLight', 'light'],
        id,
      );
      for (const value of Object.values(defaults)) assert.match(value, /^#[0-9a-f]{6}$/, id);
      assert.ok(source.includes(`'${id}'`), id);
    }
  });

  it('menus and keybindings: name existing commands', () => {
    const known = new Set(contributes().commands.map(({ command }) => command));
    const used = [...Object.values(contributes().menus).flat(), ...contributes().keybindings];
    assert.deepEqual(
      used.filter(({ command }) => !known.has(command)),
      [],
    );
  });

  it('keybindings: are not used by the editor or its other extensions', async () => {
    const document = await vscode.workspace.openTextDocument(
      vscode.Uri.parse('vscode://defaultsettings/keybindings.json'),
    );
    const all = document.getText().matchAll(/"key":\s*"([^"]+)"[^}]*?"command":\s*"([^"]+)"([^}]*)/g);
    // Recent editors also list keybindings that never apply.
    const taken = [...all].filter(([, , , rest]) => !rest.includes('"when": "false"'));
    assert.ok(taken.length > 500, `only ${taken.length} keybindings were found`);
    for (const { key } of contributes().keybindings) {
      const owners = taken.filter(([, other]) => other === key).map(([, , command]) => command);
      assert.deepEqual(
        owners.filter((command) => !command.startsWith('captious.')),
        [],
        key,
      );
      // No other keybinding may be the first part of this keybinding, or start with this keybinding.
      const [first] = key.split(' ');
      const clashing = taken.filter(([, other]) => other === first || other.startsWith(`${key} `));
      assert.deepEqual(
        clashing.map(([, , command]) => command),
        [],
        key,
      );
    }
  });

  it('settings: each is set in a test, has a scope, and a description for each of its values', () => {
    for (const [id, property] of Object.entries(contributes().configuration.properties)) {
      const name = id.replace('captious.', '');
      assert.ok(isTried(`'${id}'`, `'${name}'`), `no test sets ${id}`);
      assert.ok(property.scope !== undefined, `${id} has no scope`);
      assert.equal(property.markdownEnumDescriptions?.length, property.enum?.length, id);
    }
  });

  it('tools: each is known to the editor and invoked in a test', () => {
    const known = new Set(vscode.lm.tools.map(({ name }) => name));
    for (const { name } of contributes().languageModelTools) {
      assert.ok(known.has(name), `${name} is not known`);
      assert.ok(isTried(`'${name}'`), `no test invokes ${name}`);
    }
  });

  it('schemas and snippets: each file exists and is valid', () => {
    const { jsonValidation, yamlValidation } = contributes();
    for (const { url } of [...jsonValidation, ...yamlValidation]) {
      const schema = JSON.parse(readFileSync(inExtension(url), 'utf8')) as { title?: string };
      assert.ok(schema.title, url);
    }
    for (const { path } of contributes().snippets)
      assert.ok(Object.keys(JSON.parse(readFileSync(inExtension(path), 'utf8')) as object).length > 0, path);
  });

  it('snippets: are suggested in their kinds of files', async () => {
    for (const { language, path } of contributes().snippets) {
      const document = await vscode.workspace.openTextDocument({ language, content: '' });
      await vscode.window.showTextDocument(document);
      const proposed = await vscode.commands.executeCommand<vscode.CompletionList>(
        'vscode.executeCompletionItemProvider',
        document.uri,
        new vscode.Position(0, 0),
      );
      const prefixes = Object.values(
        JSON.parse(readFileSync(inExtension(path), 'utf8')) as Record<string, { prefix: string }>,
      ).map(({ prefix }) => prefix);
      const labels = proposed.items.map(({ label }) => (typeof label === 'string' ? label : label.label));
      for (const prefix of prefixes) assert.ok(labels.includes(prefix), `${prefix} in ${language}`);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('views and walkthrough: images exist, and a command completes each step', async () => {
    const { views, viewsContainers, walkthroughs } = contributes();
    for (const { icon } of [...Object.values(views).flat(), ...Object.values(viewsContainers).flat()])
      assert.ok(existsSync(inExtension(icon)), icon);
    const known = new Set(await vscode.commands.getCommands(true));
    for (const { media, completionEvents } of walkthroughs.flatMap(({ steps }) => steps)) {
      assert.ok(existsSync(inExtension(media.svg)), media.svg);
      for (const event of completionEvents) assert.ok(known.has(event.replace('onCommand:', '')), event);
    }
    for (const { id } of Object.values(views).flat()) await vscode.commands.executeCommand(`${id}.focus`);
  });
});
