import type { TokenRules } from '../protocol/native';
import type { Change, Described, Setting } from './change';

const prefixes = [
  '',
  'A photo depicts ',
  'A photo of ',
  'a photo of ',
  'This is a photo of ',
  'An image of ',
];
const limits = [512, 256, 128, 77, 64, 52, 50, 40, 35, 32, 30, 25, 24, 20, 16, 15, 12, 10, 8];

export function textChanges(
  { prefix, text: { spec } }: Described,
  otherPrefix: string,
  other: TokenRules | undefined,
  /** The number of tokens of the longest caption, before truncation if it is known. */
  longest: number,
): Change[] {
  const own = spec.rules;
  const edit = (setting: Setting, to: string, caption: (text: string) => string): Change => ({
    setting,
    tower: 'text',
    from: '–',
    to,
    caption,
  });
  const rule = (
    setting: Setting,
    from: string,
    to: string,
    rules: (own: TokenRules) => TokenRules,
  ): Change => ({
    setting,
    tower: 'text',
    from,
    to,
    rules,
  });
  return [
    ...[otherPrefix, ...prefixes].map((to): Change => ({
      setting: 'prefix',
      tower: 'text',
      from: JSON.stringify(prefix),
      to: JSON.stringify(to),
      prefix: to,
    })),
    edit('whitespace', 'collapsed', (text) => text.trim().replace(/\s+/g, ' ')),
    edit('punctuation', 'final period removed', (text) => text.trimEnd().replace(/\.$/, '')),
    edit('punctuation', 'final period added', (text) => text.trimEnd().replace(/\.?$/, '.')),
    edit('punctuation', 'removed', (text) => text.replace(/[^\p{L}\p{N}\s]/gu, '')),
    rule('case', 'as in the tokenizer', 'lowercased', (rules) => ({ ...rules, lowercase: true })),
    rule('case', 'as in the tokenizer', 'not lowercased', (rules) => ({ ...rules, lowercase: false })),
    ...[...(other === undefined ? [] : [other.max]), ...limits]
      // A limit above the longest caption changes nothing, unless captions are padded or A truncates more.
      .filter((max) => (own.fixed === undefined ? max < longest || own.max <= longest : max < own.fixed))
      // A text that the model attends to as padded is padded to its limit.
      .map((max) =>
        rule('limit', String(own.max), String(max), (rules) => ({
          ...rules,
          max,
          ...(rules.attendPadding && rules.fixed !== undefined ? { fixed: max } : {}),
        })),
      ),
    ...(['left', 'right'] as const).map((cutSide) =>
      rule('truncation', own.cutSide ?? '–', `of the ${cutSide}`, (rules) => ({ ...rules, cutSide })),
    ),
    rule('specialTokens', 'with', 'without', (rules) => ({ ...rules, bare: true })),
    ...paddings(own),
  ];

  function paddings({ attendPadding, max }: TokenRules): Change[] {
    const masked = (rules: TokenRules): TokenRules => ({ ...rules, attendPadding: false });
    if (attendPadding)
      return [
        rule('padding', 'attended', 'masked', masked),
        rule('padding', 'attended', 'attended, on the other side', (rules) => ({
          ...rules,
          padLeft: rules.padLeft !== true,
        })),
      ];
    if (spec.inputs.mask === undefined) return [];
    return [...new Set([Math.min(max, 128), 77, 64].filter((length) => length <= max))].map((length) =>
      rule('padding', 'masked', `attended, to ${length} tokens`, (rules) => ({
        ...rules,
        attendPadding: true,
        fixed: rules.fixed ?? length,
        max: Math.min(rules.max, length),
      })),
    );
  }
}
