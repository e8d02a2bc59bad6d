import type { Probe } from '../probe/probe';
import type { Command, CommandOption, CommandGroup } from './arguments';

const columns = 110;
const left = 20;

export const exitCodes =
  'Exit codes: 0 done, 1 a check failed (--fail-on, --baseline, or the tolerance of bench), 2 invalid usage or input, 3 interrupted, 70 internal error.';

/** The commands named in `first`, or all commands in groups if `first` is absent. */
export function overviewHelp(groups: readonly CommandGroup[], first?: readonly string[]): string {
  const commands = groups.flatMap((group) => group.commands);
  const line = ({ name, summary }: Command): string[] => entry(`captious ${name}`, summary);
  const listed =
    first === undefined
      ? groups.flatMap((group) => ['', `${titleOf(group)}:`, ...group.commands.flatMap(line)])
      : ['', ...first.flatMap((name) => line(commands.find((command) => command.name === name)!))];
  const all = `"captious --help --all" lists all ${commands.length} commands in groups: ${groups.map(({ name }) => name).join(', ')}.`;
  return [
    'captious: audit evaluators of image captions',
    ...listed,
    '',
    ...(first === undefined ? [] : [all]),
    '"captious COMMAND --help" describes a command, "captious probes" lists the probes.',
    exitCodes,
  ].join('\n');
}

function titleOf({ name }: CommandGroup): string {
  return `${name[0].toUpperCase()}${name.slice(1)}`;
}

export function commandHelp(command: Command): string {
  const options = Object.entries(command.options).flatMap(([name, option]) =>
    entry(signature(name, option), option.describe),
  );
  const operands = Object.entries(command.operands ?? {}).flatMap(([name, words]) => entry(name, words));
  const notes = (command.notes ?? []).flatMap((note) =>
    typeof note === 'string' ? ['', ...wrap(note, columns)] : note.map((line) => `  ${line}`),
  );
  return [
    ...command.usage.map((usage) => `captious ${usage}`),
    ...(operands.length === 0 ? [] : ['', ...operands]),
    ...(options.length === 0 ? [] : ['', ...options]),
    ...notes,
    '',
    'Example:',
    ...command.examples.map((example) => `  captious ${example}`),
  ].join('\n');
}

export function probeHelp({ id, title, question, options }: Probe): string {
  const lines = options.flatMap(({ key, describe, default: value, choices }) => [
    `  --set ${id}.${key}=${String(value)}`,
    ...wrap(choices === undefined ? describe : `${describe} One of: ${choices.join(', ')}.`, columns - 6).map(
      (line) => `      ${line}`,
    ),
  ]);
  return [
    `${id}: ${title}`,
    ...wrap(question, columns),
    '',
    ...(lines.length === 0 ? ['It has no options.'] : ['Options with their defaults:', ...lines]),
  ].join('\n');
}

/** The content of docs/cli.md: every command and every probe's options. */
export function helpPage(groups: readonly CommandGroup[], probes: readonly Probe[]): string {
  const row = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  const table = (head: readonly string[], rows: readonly (readonly string[])[]): string[] =>
    rows.length === 0 ? [] : [row(head), row(head.map(() => '---')), ...rows.map(row), ''];
  const contents = groups.map(
    (group) =>
      `- **${titleOf(group)}**: ${group.commands.map(({ name }) => `[${name}](#captious-${name})`).join(', ')}`,
  );
  const sections = groups
    .flatMap((group) => group.commands)
    .flatMap((command) => [
      `## captious ${command.name}`,
      '',
      `${command.summary[0].toUpperCase()}${command.summary.slice(1)}.`,
      '',
      '```text',
      ...command.usage.map((usage) => `captious ${usage}`),
      '```',
      '',
      ...table(
        ['argument', 'meaning'],
        [
          ...Object.entries(command.operands ?? {}),
          ...Object.entries(command.options).map(([name, option]) => [
            signature(name, option),
            option.describe,
          ]),
        ].map(([name, words]) => [`\`${name}\``, words]),
      ),
      ...(command.notes ?? []).flatMap((note) =>
        typeof note === 'string' ? [note, ''] : ['```text', ...note, '```', ''],
      ),
      '```sh',
      ...command.examples.map((example) => `captious ${example}`),
      '```',
      '',
    ]);
  const options = probes.flatMap((probe) => [
    `### ${probe.id}`,
    '',
    probe.question,
    '',
    ...table(
      ['option', 'default', 'meaning'],
      probe.options.map(({ key, describe, default: value, choices }) => [
        `\`${probe.id}.${key}\``,
        `\`${String(value)}\``,
        choices === undefined ? describe : `${describe} One of: ${choices.join(', ')}.`,
      ]),
    ),
  ]);
  return [
    '# Command line reference',
    '',
    'Generated from the source of `--help` by `npm run docs`. Do not edit.',
    '',
    'Every command prints results to standard output and progress to standard error. With `--json`, standard output contains one',
    'JSON value and nothing else.',
    '',
    exitCodes,
    '',
    ...contents,
    '',
    ...sections,
    '## Probe options',
    '',
    'Set them with `--set PROBE.OPTION=VALUE`.',
    '',
    ...options,
  ].join('\n');
}

function signature(name: string, { value }: CommandOption): string {
  return value === undefined ? `--${name}` : `--${name} ${value}`;
}

/** A name on the left and its description on the right. A long name has its own line. */
function entry(name: string, words: string): string[] {
  const lines = wrap(words, columns - left - 2);
  const indent = ' '.repeat(left + 2);
  const first = `  ${name.padEnd(left)}`;
  return first.length > left + 2
    ? [first, ...lines.map((line) => indent + line)]
    : [first + lines[0], ...lines.slice(1).map((line) => indent + line)];
}

function wrap(words: string, width: number): string[] {
  const lines = [''];
  for (const word of words.split(' ')) {
    const line = lines[lines.length - 1];
    if (line !== '' && line.length + word.length + 1 > width) lines.push(word);
    else lines[lines.length - 1] = line === '' ? word : `${line} ${word}`;
  }
  return lines;
}
