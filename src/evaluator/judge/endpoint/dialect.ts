import { say, type Words } from '../../../base/say';
import { choice, flag, object, type Shaped } from '../../../base/shape';

/** The variant of the chat completions API that a server accepts. */
export const dialectShape = object({
  format: choice('json_schema', 'json_object', 'none'),
  limit: choice('max_tokens', 'max_completion_tokens'),
  temperature: flag,
  seed: flag,
});
export type Dialect = Shaped<typeof dialectShape>;

/** The variant that most servers accept. */
export const usualDialect: Dialect = {
  format: 'json_schema',
  limit: 'max_tokens',
  temperature: true,
  seed: true,
};

/** The parts of the dialect that must stay as they are, because the evaluator file sets them. */
export type Fixed = Partial<Record<keyof Dialect, boolean>>;

/**
 * Returns a simpler dialect after a rejection, or undefined if `dialect` cannot be simplified. `said` is the
 * response body, which usually names the rejected parameter.
 */
export function simpler(dialect: Dialect, fixed: Fixed, said: string): Dialect | undefined {
  const free = (key: keyof Dialect): boolean => fixed[key] !== true;
  if (dialect.limit === 'max_tokens' && free('limit') && /max_completion_tokens/.test(said))
    return { ...dialect, limit: 'max_completion_tokens' };
  if (dialect.temperature && free('temperature') && /\btemperature\b/i.test(said))
    return { ...dialect, temperature: false };
  if (dialect.seed && free('seed') && /\bseed\b/i.test(said)) return { ...dialect, seed: false };
  if (dialect.format === 'none' || !free('format')) return undefined;
  return { ...dialect, format: dialect.format === 'json_schema' ? 'json_object' : 'none' };
}

const asked = {
  json_schema: say('judge.askedWithSchema'),
  json_object: say('judge.askedAsObject'),
  none: say('judge.askedAsText'),
};

/** Says in a report how the dialect differs from the first one. Returns undefined if both are equal. */
export function dialectNote(dialect: Dialect, first: Dialect): Words | undefined {
  const [heat, seed] = [first.temperature && !dialect.temperature, first.seed && !dialect.seed];
  const parts = [
    ...(dialect.format === first.format ? [] : [asked[dialect.format]]),
    ...(dialect.limit === first.limit ? [] : [say('judge.limitSentAs', dialect.limit)]),
    ...(heat && seed ? [say('judge.neitherSent', 'temperature', 'seed')] : []),
    ...(heat !== seed ? [say('judge.notSent', heat ? 'temperature' : 'seed')] : []),
  ];
  if (parts.length === 0) return undefined;
  return say(
    'judge.usualRejected',
    parts.reduce((all, part) => say('judge.andAlso', all, part)),
  );
}
