/* Says where text stops being JSON, because the words of JSON.parse are English and differ between engines. */
import type * as Jsonc from 'jsonc-parser';
import { NotJson } from '../errors';
import { say, type Words } from '../say';

// The parser is loaded with the first mistake, because the extension starts earlier without it.
// eslint-disable-next-line @typescript-eslint/no-require-imports
const jsonc = () => require('jsonc-parser') as typeof Jsonc;

const reasons: Readonly<Record<string, Words>> = {
  InvalidSymbol: say('base.jsonSymbolInvalid'),
  InvalidNumberFormat: say('base.jsonNumberInvalid'),
  PropertyNameExpected: say('base.jsonKeyExpected'),
  ValueExpected: say('base.jsonValueExpected'),
  ColonExpected: say('base.jsonColonExpected'),
  CommaExpected: say('base.jsonCommaExpected'),
  CloseBraceExpected: say('base.jsonBraceExpected'),
  CloseBracketExpected: say('base.jsonBracketExpected'),
  EndOfFileExpected: say('base.jsonEndExpected'),
  InvalidCommentToken: say('base.jsonCommentInvalid'),
  UnexpectedEndOfComment: say('base.jsonCommentUnclosed'),
  UnexpectedEndOfString: say('base.jsonStringUnclosed'),
  UnexpectedEndOfNumber: say('base.jsonNumberInvalid'),
  InvalidUnicode: say('base.jsonEscapeInvalid'),
  InvalidEscapeCharacter: say('base.jsonEscapeInvalid'),
  InvalidCharacter: say('base.jsonCharacterInvalid'),
};

/** Names a mistake that the parser found. */
export function mistake(error: Jsonc.ParseErrorCode): Words {
  return reasons[jsonc().printParseErrorCode(error)];
}

/** The value of JSON without comments. Throws a NotJson that names the first mistake and its place. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    const what = faultIn(text);
    throw what === undefined ? cause : new NotJson(what, { cause });
  }
}

/** The first mistake. Undefined if the nesting is too deep for the parser, which is recursive. */
function faultIn(text: string): Words | undefined {
  const onError: Jsonc.JSONVisitor['onError'] = (error, offset, length, line, column) => {
    throw new Found(
      isCutOff(text, error, offset, length)
        ? say('base.jsonEnds')
        : text.trimEnd().includes('\n')
          ? say('base.jsonAtPlace', mistake(error), line + 1, column + 1)
          : say('base.jsonAtCharacter', mistake(error), offset + 1),
    );
  };
  try {
    jsonc().visit(text, { onError }, { disallowComments: true, allowTrailingComma: false });
  } catch (error) {
    if (error instanceof Found) return error.what;
    if (!(error instanceof RangeError)) throw error;
  }
  return undefined;
}

/** Stops the parser at the first mistake, because the text may be long. */
class Found extends Error {
  constructor(readonly what: Words) {
    super();
  }
}

/** Whether the text is right up to its end, or ends inside a string. */
function isCutOff(text: string, error: Jsonc.ParseErrorCode, offset: number, length: number): boolean {
  if (length === 0) return true;
  return offset + length >= text.length && jsonc().printParseErrorCode(error) === 'UnexpectedEndOfString';
}
