import * as z from 'zod/mini';
import { CaptiousError, inputError, wordsOf } from '../../base/errors';
import { readBoundedSync } from '../../base/files/readFile';
import { parseJson } from '../../base/files/readJson';
import { type Code, say, type Words } from '../../base/say';
import { exactObject, parsed } from '../../base/schema';

const word = z
  .string({ error: () => 'base.shapeText' satisfies Code })
  .check(z.refine((text) => text.trim() !== '', { error: () => 'base.shapeTextFilled' satisfies Code }));

/** The format of the user's file of attributes and synonyms, for the option `attributeFile`. */
export const attributeFileSchema = exactObject({
  $schema: z.optional(z.string()),
  /** Whether built-in attributes apply, too; true by default. The file's attributes take precedence. */
  builtIn: z.optional(z.boolean()),
  attributes: z
    .array(
      exactObject({
        attribute: word,
        synonym: word,
        /** `person` (default): the attribute counts only before a word for a person. `anything`: always. */
        of: z.optional(z.enum(['person', 'anything'])),
        /** For people who review the file: a caption with the synonym. */
        example: z.optional(z.string()),
        /** For people who review the file: the model that wrote the synonym. */
        from: z.optional(z.string()),
      }),
    )
    .check(z.minLength(1, { error: () => 'base.shapeListFilled' satisfies Code })),
});

export interface AttributeFile {
  builtIn: boolean;
  synonyms: ReadonlyMap<string, string>;
  /** Attributes that count before any word, not only before a word for a person. */
  anywhere: ReadonlySet<string>;
}

export function readAttributeFile(path: string): AttributeFile {
  const wrong = (why: Words, cause?: unknown): CaptiousError =>
    inputError(say('prsm.attributeFileInvalid', why), say('prsm.writeAttributeList'), path, cause);
  let content: Buffer;
  try {
    content = readBoundedSync(path);
  } catch (cause) {
    throw new CaptiousError('input', say('prsm.attributeFileUnreadable', wordsOf(cause)), {
      at: path,
      remedy: say('prsm.setAttributeFile'),
      cause,
    });
  }
  let file: z.output<typeof attributeFileSchema>;
  try {
    file = parsed(attributeFileSchema, parseJson(content));
  } catch (cause) {
    throw wrong(wordsOf(cause), cause);
  }
  const synonyms = new Map<string, string>();
  const anywhere = new Set<string>();
  for (const [at, { attribute, synonym, of }] of file.attributes.entries()) {
    const key = attribute.trim().toLowerCase();
    const place = `attributes[${at}]`;
    if (synonyms.has(key)) throw wrong(say('prsm.attributeRepeated', place, key));
    if (synonym.trim().toLowerCase() === key) throw wrong(say('prsm.attributeOwnSynonym', place, key));
    synonyms.set(key, synonym.trim());
    if (of === 'anything') anywhere.add(key);
  }
  return { builtIn: file.builtIn ?? true, synonyms, anywhere };
}
