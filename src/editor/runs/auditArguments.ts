import { count, list, object, optional, text } from '../../base/shape';

const fields = {
  probes: list(text),
  evaluators: list(text),
  images: optional(list(text)),
  seed: optional(count),
  draws: optional(count),
  limit: optional(count),
  cluster: optional(text),
};
const checked = object(fields);

/**
 * The options of an audit that another extension starts. They replace the quick picks. Undefined for what a menu passes
 * as its second argument: the selected files, or the group of an editor's tab.
 */
export function auditArguments(given: unknown): ReturnType<typeof checked> | undefined {
  const isOurs =
    typeof given === 'object' && given !== null && Object.keys(fields).some((key) => key in given);
  return isOurs ? checked(given, '') : undefined;
}
