import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { commandReference } from '../../../scripts/docs';
import { type Command, parseCommand } from '../../../src/cli/arguments';
import { commandGroups, commandNamed, commandNames, firstCommands } from '../../../src/cli/commands';
import { commandHelp, overviewHelp, probeHelp } from '../../../src/cli/help';
import { probes } from '../../../src/probe/generated/probes';

const root = join(__dirname, '../../..');
/** Options in the docs that are not checked: --help, --version, and options of npm scripts and other programs. */
const notOurs = ['ignore-scripts', 'count', 'seed', 'target', 'grep', 'help', 'version', 'logits'];

async function existing(name: string): Promise<Command> {
  const command = await commandNamed(name);
  assert.equal(command?.name, name);
  return command!;
}

describe('command line help', () => {
  for (const own of commandNames) {
    it(`lists every option that captious ${own} parses, and an example that parses`, async () => {
      const command = await existing(own);
      const help = commandHelp(command);
      for (const [name, { value }] of Object.entries(command.options)) {
        assert.match(help, new RegExp(`^  --${name}\\b`, 'm'));
        const given = value === undefined ? [`--${name}`] : [`--${name}`, 'x'];
        assert.ok(Object.hasOwn(parseCommand(command, given).values, name));
      }
      assert.ok(command.examples.length > 0);
      for (const example of command.examples) {
        const [name, ...args] = example.split(' ');
        assert.equal(name, command.name);
        parseCommand(command, args);
      }
      for (const usage of command.usage)
        for (const [, option] of usage.matchAll(/--([\w-]+)/g)) assert.ok(option in command.options, option);
      assert.throws(() => parseCommand(command, ['--no-such-option']), /no-such-option/);
    });

    it(`reads no undeclared option in captious ${own}`, async () => {
      const command = await existing(own);
      const folder = join(root, 'src/cli/commands');
      const file = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
        (path) => basename(path) === `${own}.ts`,
      );
      assert.ok(file !== undefined, `captious ${own} has no source of that name`);
      const source = readFileSync(join(folder, file), 'utf8');
      for (const [, option] of source.matchAll(/values, '([\w-]+)'/g))
        assert.ok(option in command.options, option);
      for (const [, option] of source.matchAll(/values\.(\w+)\b(?!\()/g))
        assert.ok(option in command.options, option);
    });
  }

  it('has one line for each command in the overview with --all, in groups', async () => {
    const groups = await commandGroups();
    const overview = overviewHelp(groups);
    const titles = [...overview.matchAll(/^(\w+):$/gm)].map(([, title]) => title.toLowerCase());
    assert.deepEqual(
      titles,
      groups.map(({ name }) => name),
    );
    const commands = groups.flatMap((group) => group.commands);
    assert.deepEqual(commands.map(({ name }) => name).toSorted(), commandNames.toSorted());
    for (const { name, summary } of commands) {
      assert.match(overview, new RegExp(`^  captious ${name} `, 'm'));
      assert.ok(overview.replace(/\s+/g, ' ').includes(summary));
    }
  });

  it('has ten commands in the overview without --all, those of the skill file', async () => {
    const overview = overviewHelp(await commandGroups(), firstCommands);
    const named = (text: string, pattern: RegExp) => [...text.matchAll(pattern)].map(([, name]) => name);
    assert.deepEqual(named(overview, /^ {2}captious (\w+) /gm), [...firstCommands]);
    assert.equal(firstCommands.length, 10);
    const skill = readFileSync(join(root, 'docs/assistant.md'), 'utf8');
    assert.deepEqual(named(skill, /^\| `captious (\w+)/gm).toSorted(), firstCommands.toSorted());
    assert.match(skill, /^---\nname: captious\ndescription: .+\n---\n/);
  });

  it('describes every option of every probe with its default', () => {
    for (const probe of probes) {
      const help = probeHelp(probe);
      for (const { key, default: value } of probe.options)
        assert.ok(help.includes(`--set ${probe.id}.${key}=${String(value)}`));
    }
  });

  it('has every command and option that README.md and docs/ name', async () => {
    const commands = (await commandGroups()).flatMap((group) => group.commands);
    const docs = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' });
    const pages = ['README.md', 'CONTRIBUTING.md', ...docs.map((path) => join('docs', path))];
    for (const page of pages.filter((path) => path.endsWith('.md'))) {
      const text = readFileSync(join(root, page), 'utf8');
      for (const [line, name, rest] of text.matchAll(/(?:^ *|`)captious ([a-z]+)\b([^`\n#]*)/gm)) {
        const command = commands.find((one) => one.name === name);
        assert.ok(command !== undefined, `${page}: ${line}`);
        for (const [, option] of rest.matchAll(/ --([a-z-]+)/g))
          assert.ok(['help', 'version'].includes(option) || option in command.options, `${page}: ${line}`);
      }
      for (const [named, option] of text.matchAll(/`--([a-z-]+)[^`]*`/g))
        assert.ok(
          notOurs.includes(option) || commands.some(({ options }) => option in options),
          `${page}: ${named}`,
        );
    }
  });

  it('agrees with docs/cli.md', async () => {
    assert.equal(
      readFileSync(join(root, 'docs/cli.md'), 'utf8'),
      await commandReference(),
      'Run "npm run docs".',
    );
  });
});
