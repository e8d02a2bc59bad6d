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

export function tex(text: string): string {
  return Array.from(text, (sign) => {
    const known = commands[sign];
    if (known !== undefined) return known;
    // LaTeX prints accented Latin letters. Other characters become their code point.
    return /[\n\t\x20-\x7e\u00c0-\u017f]/.test(sign)
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
