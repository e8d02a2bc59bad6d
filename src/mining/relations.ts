/** The kinds of spatial relations. `on`: above and touching. `without`: the subject lacks the object. */
export type RelationKind =
  | 'above'
  | 'below'
  | 'on'
  | 'left'
  | 'right'
  | 'front'
  | 'behind'
  | 'in'
  | 'holds'
  | 'outside'
  | 'without'
  | 'near'
  | 'far'
  | 'touching'
  | 'parallel'
  | 'perpendicular'
  | 'attached'
  | 'detached'
  | 'surrounds'
  | 'surrounded';

export interface Relation {
  phrase: string;
  kind: RelationKind;
  /** Phrases of the inverse relation, closest first. */
  inverses: readonly string[];
}

/** The inverse of each relation. */
const turned: Readonly<Record<RelationKind, RelationKind>> = {
  above: 'below',
  below: 'above',
  on: 'below',
  left: 'right',
  right: 'left',
  front: 'behind',
  behind: 'front',
  in: 'holds',
  holds: 'in',
  outside: 'without',
  without: 'outside',
  near: 'near',
  far: 'far',
  touching: 'touching',
  parallel: 'parallel',
  perpendicular: 'perpendicular',
  attached: 'attached',
  detached: 'detached',
  surrounds: 'surrounded',
  surrounded: 'surrounds',
};

/** The known relations. Each phrase follows "is", or is a verb such as "contains". */
const relations: readonly Relation[] = [
  relation('above', 'above', 'below', 'beneath'),
  relation('over', 'above', 'under', 'beneath'),
  relation('on top of', 'on', 'under', 'beneath'),
  relation('on', 'on', 'under', 'beneath'),
  relation('below', 'below', 'above', 'over'),
  relation('under', 'below', 'above', 'over'),
  relation('beneath', 'below', 'above', 'over'),
  relation('left of', 'left', 'right of', 'to the right of'),
  relation('to the left of', 'left', 'to the right of', 'right of'),
  relation('at the left side of', 'left', 'at the right side of', 'right of'),
  relation('right of', 'right', 'left of', 'to the left of'),
  relation('to the right of', 'right', 'to the left of', 'left of'),
  relation('at the right side of', 'right', 'at the left side of', 'left of'),
  relation('in front of', 'front', 'behind'),
  relation('ahead of', 'front', 'behind'),
  relation('behind', 'behind', 'in front of'),
  relation('in', 'in', 'contains'),
  relation('inside', 'in', 'contains'),
  relation('within', 'in', 'contains'),
  relation('contains', 'holds', 'inside', 'in'),
  relation('outside', 'outside', 'does not contain'),
  relation('does not contain', 'without', 'outside'),
  relation('next to', 'near', 'beside', 'alongside'),
  relation('beside', 'near', 'next to', 'alongside'),
  relation('adjacent to', 'near', 'next to', 'beside'),
  relation('alongside', 'near', 'next to', 'beside'),
  relation('at the side of', 'near', 'next to', 'beside'),
  relation('by', 'near', 'beside', 'next to'),
  relation('near', 'near', 'close to', 'near'),
  relation('close to', 'near', 'near', 'close to'),
  relation('far from', 'far', 'far away from', 'far from'),
  relation('far away from', 'far', 'far from', 'far away from'),
  relation('away from', 'far', 'away from'),
  relation('touching', 'touching', 'touching', 'in contact with'),
  relation('in contact with', 'touching', 'touching'),
  relation('parallel to', 'parallel', 'parallel to'),
  relation('perpendicular to', 'perpendicular', 'perpendicular to', 'at a right angle to'),
  relation('at a right angle to', 'perpendicular', 'perpendicular to'),
  relation('attached to', 'attached', 'attached to', 'connected to'),
  relation('connected to', 'attached', 'connected to', 'attached to'),
  relation('detached from', 'detached', 'detached from'),
  relation('surrounding', 'surrounds', 'surrounded by', 'enclosed by'),
  relation('surrounded by', 'surrounded', 'surrounding', 'enclosing'),
  relation('enclosing', 'surrounds', 'enclosed by', 'surrounded by'),
  relation('enclosed by', 'surrounded', 'enclosing', 'surrounding'),
];

/** Direct opposites, such as "left" and "right". */
const plainOpposites: readonly (readonly [RelationKind, RelationKind])[] = [
  ['above', 'below'],
  ['on', 'below'],
  ['left', 'right'],
  ['front', 'behind'],
  ['in', 'outside'],
  ['far', 'near'],
  ['far', 'touching'],
  ['attached', 'detached'],
  ['parallel', 'perpendicular'],
];

/** Other pairs of relations that exclude each other. */
const otherOpposites: readonly (readonly [RelationKind, RelationKind])[] = [
  ['in', 'holds'],
  ['in', 'below'],
  ['in', 'front'],
  ['in', 'behind'],
  ['far', 'on'],
  ['far', 'in'],
  ['far', 'attached'],
  ['far', 'surrounds'],
  ['surrounds', 'surrounded'],
];

const byPhrase = new Map(relations.map((one) => [one.phrase, one]));
const strengths = new Map([...otherOpposites.flatMap(bothWays(1)), ...plainOpposites.flatMap(bothWays(2))]);

/**
 * Keys for a pair and for its inverse pair, each in both orders. A pair with `on` has no inverse pair, because the
 * inverse of `on` is only `below`: `far`, for example, excludes `on`, but not `below`.
 */
function bothWays(strength: number) {
  return ([a, b]: readonly [RelationKind, RelationKind]): [string, number][] => [
    [`${a} ${b}`, strength],
    [`${b} ${a}`, strength],
    ...(a === 'on' || b === 'on'
      ? []
      : ([
          [`${turned[a]} ${turned[b]}`, strength],
          [`${turned[b]} ${turned[a]}`, strength],
        ] as [string, number][])),
  ];
}

function relation(phrase: string, kind: RelationKind, ...inverses: string[]): Relation {
  return { phrase, kind, inverses };
}

/** Longest first, because "on top of" must be found before "on". */
export const phrases: readonly string[] = [...byPhrase.keys()].sort((a, b) => b.length - a.length);

export function relationOf(phrase: string): Relation | undefined {
  return byPhrase.get(phrase);
}

export function turnedRound(kind: RelationKind): RelationKind {
  return turned[kind];
}

/** 2 for direct opposites, 1 for other opposites, 0 for all other pairs. */
export function contradiction(a: RelationKind, b: RelationKind): number {
  return strengths.get(`${a} ${b}`) ?? 0;
}

/** A relation with its verb: "is under" after a singular subject, "are under" after a plural subject. */
export function predicate(phrase: string, plural: boolean): string {
  if (phrase === 'contains') return plural ? 'contain' : phrase;
  if (phrase === 'does not contain') return plural ? 'do not contain' : phrase;
  return `${plural ? 'are' : 'is'} ${phrase}`;
}
