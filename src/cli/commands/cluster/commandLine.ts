import type { Values } from '../../arguments';

/** Builds the arguments of a command. After `--`, a file name with a leading dash does not count as an option. */
export function commandLine(command: string, positionals: readonly string[], values: Values): string[] {
  const args = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => {
      if (one === undefined || one === false) return [];
      return one === true ? [`--${name}`] : [`--${name}=${one}`];
    }),
  );
  return [command, ...args, ...(positionals.length > 0 ? ['--', ...positionals] : [])];
}
