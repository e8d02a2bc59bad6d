import { oneLine } from '../../../base/text/oneLine';

/* Escapes text for LaTeX, with commands for characters that pdflatex cannot print. */

const commands: Readonly<Record<string, string>> = {
  '\\': '\\textbackslash{}',
  '{': '\\{',
  '}': '\\}',
  $: '\\$',
  '&': '\\&',
  '#': '\\#',
  '%': '\\%',
  _: '\\_',
  '~': '\\textasciitilde{}',
  '^': '\\textasciicircum{}',
  '<': '$<$',
  '>': '$>$',
  '|': '$|$',
  '"': "''",
  '↑': '$\\uparrow$',
  '↓': '$\\downarrow$',
  '→': '$\\rightarrow$',
  '±': '$\\pm$',
  '≥': '$\\geq$',
  '≤': '$\\leq$',
  '−': '$-$',
  '×': '$\\times$',
  '·': '$\\cdot$',
  '°': '$^{\\circ}$',
  Δ: '$\\Delta$',
  δ: '$\\delta$',
  β: '$\\beta$',
  λ: '$\\lambda$',
  ρ: '$\\rho$',
  τ: '$\\tau$',
  κ: '$\\kappa$',
  ε: '$\\epsilon$',
  '†': '$^{\\dagger}$',
  '–': '--',
  '—': '---',
  '…': '\\ldots{}',
  '’': "'",
  '‘': '`',
  '“': '``',
  '”': "''",
  '\u00a0': '~',
  '\u202f': '\\,',
};

/** The characters that LaTeX's default fonts print: ASCII and most accented Latin letters. */
const printed = /[\t\x20-\x7e]|(?![ÐÞðþĄąĐđĘęĦħĮįĸĿŀŉŊŋŦŧŲųſ])[\u00c0-\u017f]/;

/** Stands between two signs that LaTeX would print as one, such as two hyphens. Becomes an empty group. */
const apart = '\ufdd0';

export function tex(text: string): string {
  // An empty line would end the argument of a command.
  const line = oneLine(text).replace(/([-,'`])(?=\1)|[?!](?=`)/g, `$&${apart}`);
  return Array.from(line, (sign) => {
    const known = sign === apart ? '{}' : commands[sign];
    if (known !== undefined) return known;
    return printed.test(sign)
      ? sign
      : `[U+${sign.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}]`;
  }).join('');
}

/** Writes the indices and exponents of a heading: "E_inv^adv ↓", "PR^comb", "β1". */
export function texHead(text: string): string {
  return text
    .split(' ')
    .map((word) => {
      const sum = /^E_([a-z]+)(?:\^([a-z]+))?$/.exec(word);
      if (sum !== null)
        return `$\\mathcal{E}_{\\mathrm{${sum[1]}}}${sum[2] === undefined ? '' : `^{\\mathrm{${sum[2]}}}`}$`;
      const raised = /^([A-Z]+)\^([a-z]+)$/.exec(word);
      if (raised !== null) return `${raised[1]}$^{\\mathrm{${raised[2]}}}$`;
      return word === 'β1' ? '$\\beta_1$' : tex(word);
    })
    .join(' ');
}

export function plainHead(text: string): string {
  return text.replace(/\bE_([a-z]+)/, 'E $1').replace(/\^([a-z]+)/, ' $1');
}
