import type { Values } from '../../arguments';

/** The arguments that parse to these values. After `--`, a name with a leading dash is not an option. */
export function commandLine(command: string, positionals: readonly string[], values: Values): string[] {
  const args = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => {
      if (one === undefined || one === false) return [];
      return one === true ? [`--${name}`] : [`--${name}=${one}`];
    }),
  );
  return [command, ...args, ...(positionals.length > 0 ? ['--', ...positionals] : [])];
}
