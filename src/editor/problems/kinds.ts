/* Groups the problems of a dataset, so that a file with many of one kind shows each kind once. */
import { say, type Words } from '../../base/say';
import type { CheckedFile } from '../../protocol/service';
import { addTo } from '../../base/lists';

type Finding = CheckedFile['findings'][number];

/** As many problems of a kind are shown one by one. */
const mostOfAKind = 3;

/** More than `mostOfAKind` findings with the same sentence form a group; any other finding is its own group. */
export function inKinds(findings: readonly Finding[]): (readonly Finding[])[] {
  const kinds = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = `${finding.code} ${sentenceOf(finding.message)}`;
    addTo(kinds, key, finding);
  }
  return [...kinds.values()].flatMap((kind) =>
    kind.length > mostOfAKind ? [kind] : kind.map((finding) => [finding]),
  );
}

/** A group's first problem, and how many others it has. `unlisted` further ones are not in the list. */
export function moreOfKind([first, ...more]: readonly Finding[], unlisted = 0): Words {
  const areSame = more.every(({ message }) => JSON.stringify(message) === JSON.stringify(first.message));
  return areSame && unlisted === 0
    ? say('editor.problemElsewhere', first.message, more.length)
    : say('editor.problemsAlike', first.message, more.length + unlisted);
}

/** How many findings of the group's code the check left out. 0 if another group has this code, too: their kind is unknown. */
export function unlistedOf(
  group: readonly Finding[],
  { findings, counts }: Pick<CheckedFile, 'findings' | 'counts'>,
): number {
  const { code } = group[0];
  const listed = findings.filter((finding) => finding.code === code).length;
  return listed === group.length ? (counts[code] ?? listed) - listed : 0;
}

/** The sentence without its values: one code can have several causes. */
function sentenceOf(message: Words): string {
  if (typeof message === 'string') return message;
  return [
    message.code,
    ...message.values.map((value) => (typeof value === 'string' ? '' : sentenceOf(value))),
  ].join(' ');
}
