import { join } from 'node:path';
import { actionable, cancelled, CaptiousError, usageError } from '../base/errors';
import { keepHeapSmall } from '../base/heap';
import { installFolder } from '../base/install';
import { inSplit, parseCommand } from './arguments';
import { splitOptions } from './options';
import { commandGroups, commandNamed, commandNames, firstCommands } from './commands';
import { commandHelp, overviewHelp } from './help';
import { chooseFrom } from '../base/text/nearest';
import { readJsonSync } from '../base/files/readJson';
import { log, print } from './terminal';

const exitCodes = { usage: 2, input: 2, evaluator: 2, interrupted: 3 } as const;
/** The exit code for a defect. Node.js's own code, 1, would mean a failed gate. */
const internalError = 70;

/** Runs a command and prints its error, if any. The result is the exit code. */
export function run(args: readonly string[], interrupted?: AbortSignal): Promise<number> {
  return main(args, interrupted).catch((error: unknown) => fail(error, args));
}

async function main(args: readonly string[], interrupted?: AbortSignal): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || ['--help', '-h', 'help', '--all'].includes(name)) {
    print(overviewHelp(await commandGroups(), args.includes('--all') ? undefined : firstCommands));
    return name === undefined ? 2 : 0;
  }
  if (name === '--version') {
    print((readJsonSync(join(installFolder(), 'package.json')) as { version: string }).version);
    return 0;
  }
  const command = await commandNamed(name);
  if (command === undefined) {
    throw usageError(`There is no command "${name}".`, chooseFrom(name, commandNames));
  }
  const parsed = parseCommand(command, rest);
  if (parsed.values.help) {
    print(commandHelp(command));
    return 0;
  }
  const signal = interrupted ?? interruption();
  // Other commands may have options of these names.
  const call = command.options.split === splitOptions.split ? await inSplit(parsed, signal) : parsed;
  return command.run({ ...call, signal });
}

/** Aborted by the first Ctrl+C, SIGTERM or SIGHUP. If the same signal arrives again, the process ends at once. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.once(name, () => controller.abort(cancelled()));
  }
  return controller.signal;
}

function fail(thrown: unknown, args: readonly string[]): number {
  const error = actionable(thrown);
  if (error instanceof CaptiousError) {
    const { kind, what } = error;
    tell({ kind, ...(typeof what === 'string' ? {} : { code: what.code }) }, error.describe(), args);
    return exitCodes[kind];
  }
  const shown = error instanceof Error ? (error.stack ?? error.message) : String(error);
  tell({ kind: 'internal' }, `internal error, please report it: ${shown}`, args);
  return internalError;
}

/** Prints an error: for programs as an event, so that they need not search the text. */
function tell(error: { kind: string; code?: string }, message: string, args: readonly string[]): void {
  const isForPrograms = args.includes('--events') || process.env.CAPTIOUS_EVENTS !== undefined;
  log(isForPrograms ? JSON.stringify({ type: 'error', ...error, message }) : `captious: ${message}`);
}

/** Runs the command of this process. */
async function start(args: readonly string[]): Promise<void> {
  keepHeapSmall();
  // This exit code applies if Node.js exits before the command is done.
  process.exitCode = internalError;
  process.on('uncaughtException', (error) => process.exit(fail(error, args)));

  // A closed pipe ("| head") is not an error.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code === 'EPIPE') process.exit(0);
    log(
      `captious: cannot write to standard output: ${error.message}. Check its destination, for example that the disk is not full.`,
    );
    process.exit(2);
  });

  process.exitCode = await run(args);
}

// Tests load the built command line, and run commands in their own process.
if (require.main === module) void start(process.argv.slice(2));
