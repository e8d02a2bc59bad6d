import type { Values } from '../../arguments';

/**
 * The arguments that the parser turns into these values. After `--`, a name that begins with a dash is not an
 * option.
 */
export function commandLine(command: string, positionals: readonly string[], values: Values): string[] {
  const args = Object.entries(values).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).flatMap((one) => {
      if (one === undefined || one === false) return [];
      return one === true ? [`--${name}`] : [`--${name}=${one}`];
    }),
  );
  return [command, ...args, ...(positionals.length > 0 ? ['--', ...positionals] : [])];
}
