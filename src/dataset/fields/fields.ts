import { usageError } from '../../base/errors';
import { say } from '../../base/say';

export const fieldRoles = [
  'id',
  'image',
  'image0',
  'image1',
  'caption',
  'caption0',
  'caption1',
  'second',
  'negative',
  'altered',
  'candidateA',
  'candidateB',
  'preferred',
  'label',
  'foil',
  'options',
  'answer',
  'answerFrom1',
  'rating',
  'cluster',
] as const;

export type FieldRole = (typeof fieldRoles)[number];

/** Column names by role. The name `text_*` stands for all columns with the prefix `text_`. */
export type FieldMap = Partial<Record<FieldRole, string>>;

/** Roles that do not change how Captious finds the captions. It guesses their columns even if a map names the captions. */
const alwaysGuessed: readonly FieldRole[] = ['id', 'image', 'image0', 'image1', 'cluster'];

/** Whether a map names columns of captions. If it does, Captious guesses only ids and images. */
export function namesCaptions(map: FieldMap | undefined): boolean {
  return Object.keys(map ?? {}).some((role) => !alwaysGuessed.includes(role as FieldRole));
}

/** The columns that match a pattern such as `caption_*`, or the one column with that name. */
export function columnsLike(pattern: string, columns: readonly string[]): string[] {
  const at = pattern.indexOf('*');
  if (at < 0 || columns.includes(pattern)) return columns.filter((column) => column === pattern);
  const [start, end] = [pattern.slice(0, at), pattern.slice(at + 1)];
  return columns.filter(
    (column) =>
      column.length >= start.length + end.length && column.startsWith(start) && column.endsWith(end),
  );
}

const names = (text: string): readonly string[] => text.trim().split(/\s+/);

/** The usual column names of each role, the most likely first, in the form that `plainName` returns. */
export const usualNames: Record<FieldRole, readonly string[]> = {
  id: names('id example_id uid sample_id question_id sentid'),
  image: names(`
    image filename file_name image_path img_path image_file image_name image_filename img img_name
    filepath file_path photo picture image_id img_id cocoid coco_id image_url img_url url file path
  `),
  image0: names('image_0 image0'),
  image1: names('image_1 image1'),
  caption: names(`
    caption captions sent1 text texts sentence sentences comment description positive_caption
    true_caption positive candidate prompt title raw references
  `),
  caption0: names('caption_0 caption0'),
  caption1: names('caption_1 caption1'),
  second: names('second_positive positive_2 positive2 caption_2 caption2 sent2 p2 paraphrase'),
  negative: names(`
    negative_caption negative best_reference_semantically_close hard_negative false_caption foil
  `),
  altered: names('altered altered_caption altered_captions'),
  candidateA: names(`
    caption_a candidate_a caption_1 caption1 candidate_1 candidate1 text_1 text1 b chosen
  `),
  candidateB: names(`
    caption_b candidate_b caption_2 caption2 candidate_2 candidate2 text_2 text2 c rejected
  `),
  preferred: names('preferred preference human_preference winner choice better human_choice'),
  label: names('label'),
  foil: [],
  options: [],
  answer: [],
  answerFrom1: [],
  rating: names(`
    rating ratings human_rating human_ratings human_score human_scores score scores votes
  `),
  cluster: [],
};

/** Converts a name to lower case and joins its words with underscores. */
export function plainName(name: string): string {
  return name
    .normalize('NFKC')
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '');
}

/** Finds the column of a role by the map or by the usual names. */
export class Naming {
  private readonly byPlainName = new Map<string, string>();
  /** Whether the map names columns other than ids and images. */
  readonly isMapped: boolean;

  constructor(
    readonly columns: readonly string[],
    readonly map: FieldMap = {},
    /** Columns with misspelt names. They count only for roles that have no column with a usual name. */
    private readonly almost: FieldMap = {},
  ) {
    this.isMapped = namesCaptions(map);
    for (const column of columns) {
      const plain = plainName(column);
      if (!this.byPlainName.has(plain)) this.byPlainName.set(plain, column);
    }
  }

  column(role: FieldRole): string | undefined {
    const mapped = this.map[role];
    if (mapped !== undefined) return mapped;
    if (this.isMapped && !alwaysGuessed.includes(role)) return undefined;
    // The clusters may be in a column that also has another role.
    const taken = new Set(
      Object.entries(this.map).flatMap(([other, column]) => (other === 'cluster' ? [] : [column])),
    );
    for (const name of usualNames[role]) {
      const column = this.byPlainName.get(name);
      if (column !== undefined && !taken.has(column)) return column;
    }
    return this.almost[role];
  }

  /** The column whose `plainName` is `plain`. */
  named(plain: string): string | undefined {
    return this.byPlainName.get(plain);
  }
}

/** Parses `image=colA,caption=colB`. The case, dashes and underscores of role names do not matter. */
export function parseFieldMap(text: string): FieldMap {
  const map: FieldMap = {};
  // A column name may contain a comma. Only a comma before `role=` separates two columns.
  for (const part of text.split(/,(?=\s*[\w-]+\s*=)/)) {
    const at = part.indexOf('=');
    const given = plainName(part.slice(0, Math.max(at, 0))).replaceAll('_', '');
    const role = fieldRoles.find((known) => known.toLowerCase() === given);
    const column = part.slice(at + 1).trim();
    if (at < 0 || role === undefined || column === '')
      throw usageError(
        say('dataset.mapPartWithoutRole', part.trim()),
        say('dataset.writeRolePairs', fieldRoles.join(', ')),
        '--map',
      );
    map[role] = column;
  }
  return map;
}

/** The map as a command-line option, quoted for a shell. */
export function mapFlag(map: FieldMap): string {
  const text = Object.entries(map)
    .map(([role, column]) => `${role}=${column}`)
    .join(',');
  return `--map ${/^[\w=,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`}`;
}
