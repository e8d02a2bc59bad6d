/* A page, a figure or a table that says why scores are what they are. */
import { escapeXml as e } from '../../base/xml';
import { explanationDrawing, objectsDrawing, type RegionShades, signed } from '../../chart/explanation';
import type { EncodedImage } from '../../chart/chart';
import type { Drawing } from '../../chart/drawing';
import { columns, pageSvg, svgFile } from '../../chart/svg';
import type { ChangeExplained } from '../../explain/change';
import type { Grid, RegionInfluence } from '../../explain/regions';
import type { Explanation } from '../../explain/explain';
import type { ObjectsExplained } from '../../explain/objects';
import { htmlTable, page } from '../export/page';
import { figure } from '../figures';
import { pdfFile } from '../paper/write/pdf';
import { tex } from '../paper/write/texText';

/** What a page shows of one row. */
export interface ShownExplanation extends Explanation {
  evaluator: { name: string };
  dataset: string;
  example: string;
  line?: number | string;
  image?: string;
  change?: ChangeExplained;
}

export interface Shown {
  explained: ShownExplanation;
  image?: EncodedImage | undefined;
}

export function explanationPage(title: string, all: readonly Shown[], notes: readonly string[]): string {
  return page(title, [
    ...notes.map((note) => `<p class="quiet">${e(note)}</p>`),
    ...all.flatMap((shown) => section(shown)),
  ]);
}

/** The figure of one explanation for a paper, one column wide. */
export function explanationSvg(shown: Shown): string {
  return svgFile(drawingOf(shown, columns.single.units), columns.single);
}

/** The same figure as PDF, with an embedded font. */
export function explanationPdf(shown: Shown): Promise<Uint8Array> {
  return pdfFile(drawingOf(shown, columns.single.units), columns.single);
}

/** The words with their influence, as a table for a paper. */
export function explanationTex({ explained }: Shown): string {
  const { words, caption, score, base, objects } = explained;
  const hasIntervals = words.some(({ ci }) => ci !== undefined);
  const rows = words.map(({ word, influence, ci }) =>
    [
      tex(word),
      texNumber(influence, ci),
      ...(hasIntervals
        ? [ci === undefined ? '--' : `$[${ci.map((end) => figure(end, ci)).join(',\\,')}]$`]
        : []),
    ].join(' & '),
  );
  return [
    '% Written by Captious. Needs: \\usepackage{booktabs}',
    '\\begin{table}[t]',
    '  \\centering',
    `  \\caption{Influence of each word of \`\`${tex(caption)}'' on its score. ${tex(factsOf(explained))}}`,
    '  \\smallskip',
    `  \\begin{tabular}{lr${hasIntervals ? 'r' : ''}}`,
    '    \\toprule',
    `    word & influence${hasIntervals ? ' & 95\\,\\% interval' : ''} \\\\`,
    '    \\midrule',
    ...rows.map((row) => `    ${row} \\\\`),
    ...(objects === undefined
      ? []
      : [
          '    \\midrule',
          ...objects.found.map(
            ({ name, influence }) =>
              `    \\emph{${tex(name)}} (hidden) & ${texNumber(influence)}${hasIntervals ? ' &' : ''} \\\\`,
          ),
        ]),
    '    \\midrule',
    `    score & $${figure(score)}$${hasIntervals ? ' &' : ''} \\\\`,
    ...(base === null ? [] : [`    without words & $${figure(base)}$${hasIntervals ? ' &' : ''} \\\\`]),
    '    \\bottomrule',
    '  \\end{tabular}',
    '\\end{table}',
    '',
  ].join('\n');
}

function texNumber(influence: number | null, ci?: readonly [number, number]): string {
  return influence === null ? '--' : `$${signed(influence, ci).replace('−', '-')}$`;
}

/** How the influences were measured, in one line. */
export function factsOf({
  evaluator,
  against,
  method,
  units,
  exact,
  permutations,
  score,
  base,
}: ShownExplanation): string {
  const how =
    method === 'leave-one-out'
      ? `leave-one-out over ${units}`
      : `Shapley values of ${units}${exact ? ', exact' : `, ${permutations} sampled orders`}`;
  return [
    `${evaluator.name}: score ${figure(score)}`,
    ...(base === null ? [] : [`without words ${figure(base)}`]),
    ...(against === undefined ? [`${how}.`] : [how, `compared with: ${against}`]),
  ].join('; ');
}

function section(shown: Shown): string[] {
  const { explained } = shown;
  const { line, image, change, grid, regions, objects, words } = explained;
  const place = [explained.dataset, ...(line === undefined ? [] : [`line ${line}`]), image].filter(
    (part) => part !== undefined,
  );
  return [
    `<h2>${e(explained.caption)}</h2>`,
    `<p class="quiet">${e(factsOf(explained))}</p>`,
    pageSvg(drawingOf(shown, columns.double.units)),
    `<p class="quiet">${e(place.join(' · '))}</p>`,
    details('Words', [
      htmlTable(
        [
          { title: 'word' },
          ...['influence', '95 % interval', 'score without it'].map((title) => ({ title, number: true })),
        ],
        words.map(({ word, influence, ci, without }) => [
          e(word),
          signed(influence, ci),
          ci === undefined ? '' : `[${ci.map((end) => figure(end, ci)).join(', ')}]`,
          figure(without),
        ]),
      ),
    ]),
    ...(grid === undefined || regions === undefined
      ? []
      : [details('Regions', [regionTable(grid, regions, words)])]),
    ...(objects === undefined ? [] : [details('Objects', [objectTable(objects, words)])]),
    ...(change === undefined ? [] : changeSection(change)),
  ];
}

function details(title: string, body: readonly string[]): string {
  return `<details><summary>${e(title)}</summary>${body.join('')}</details>`;
}

function regionTable(
  { rows, columns: across }: Grid,
  regions: readonly RegionInfluence[],
  words: ShownExplanation['words'],
): string {
  const heads = [
    { title: `row (of ${rows})` },
    { title: `column (of ${across})` },
    { title: 'influence', number: true },
    ...(regions[0]?.words === undefined ? [] : [{ title: 'most affected word' }]),
  ];
  return htmlTable(
    heads,
    regions.map(({ row, column, influence, words: own }) => [
      String(row + 1),
      String(column + 1),
      signed(influence),
      ...(own === undefined ? [] : [e(mostAffected(own, words))]),
    ]),
  );
}

function objectTable({ found }: ObjectsExplained, words: ShownExplanation['words']): string {
  return htmlTable(
    [
      { title: 'object' },
      ...['influence', 'share of the image'].map((title) => ({ title, number: true })),
      ...(found[0]?.words === undefined ? [] : [{ title: 'most affected word' }]),
    ],
    found.map(({ name, influence, share, words: own }) => [
      e(name),
      signed(influence),
      shareText(share),
      ...(own === undefined ? [] : [e(mostAffected(own, words))]),
    ]),
  );
}

export function shareText(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

/** How many objects are not shown. */
export function leftOutOf({ leftOut }: ObjectsExplained): string {
  return leftOut === 0 ? '' : ` (without ${leftOut} smaller ones)`;
}

function mostAffected(influences: readonly (number | null)[], words: ShownExplanation['words']): string {
  let best: number | undefined;
  for (const [i, value] of influences.entries())
    if (value !== null && (best === undefined || Math.abs(value) > Math.abs(influences[best] ?? 0))) best = i;
  return best === undefined ? '' : `${words[best].word} (${signed(influences[best])})`;
}

function changeSection({
  other,
  score,
  otherScore,
  difference,
  changes,
  exact,
  permutations,
}: ChangeExplained): string[] {
  return [
    `<h3>Changed to: ${e(other)}</h3>`,
    `<p class="quiet">${e(
      `Score ${figure(score)} → ${figure(otherScore)}, difference ${signed(difference)}. ${exact ? 'Exact Shapley values of the changes' : `Shapley values of the changes, ${permutations} sampled orders`}.`,
    )}</p>`,
    htmlTable(
      [{ title: 'from' }, { title: 'to' }, { title: 'influence', number: true }],
      changes.map(({ from, to, influence, ci }) => [e(from), e(to), signed(influence, ci)]),
    ),
  ];
}

function drawingOf({ explained, image }: Shown, width: number): Drawing {
  const { words, regions, grid, objects, caption } = explained;
  const title = `Influence on the score of “${caption}”`;
  if (objects !== undefined) {
    const { found, width: wide, height: high } = objects;
    return objectsDrawing(title, words, width, {
      ...{ found, wide, high },
      ...(image === undefined ? {} : { image }),
    });
  }
  const shades: RegionShades | undefined =
    grid === undefined || regions === undefined
      ? undefined
      : {
          ...{
            rows: grid.rows,
            columns: grid.columns,
            influences: regions.map(({ influence }) => influence),
          },
          ...(image === undefined ? {} : { image }),
        };
  return explanationDrawing(title, words, width, shades);
}
