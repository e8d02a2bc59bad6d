/* Explanations in a terminal. */
import { signed } from '../../../chart/explanation';
import { figure } from '../../../report/figures';
import { factsOf, leftOutOf, shareText, type Shown } from '../../../report/explanation/page';
import { log, print, table } from '../../terminal';

/** Shapley values and regions can take seconds, so the influences that are known before are shown at once. */
export function logWords({ words, method }: Pick<Shown['explained'], 'words' | 'method'>): void {
  log(`${method}: ${words.map(({ word, influence }) => `${word} ${signed(influence)}`).join(', ')}`);
}

export function printExplained(explained: Shown['explained']): void {
  const { caption, words, grid, regions, objects, change, image } = explained;
  print(`${caption}\n${factsOf(explained)}${image === undefined ? '' : ` Image: ${image}`}\n`);
  print(
    table(
      ['word', 'influence', '95 % interval', 'score without it'],
      words.map(({ word, influence, ci, without }) => [
        word,
        signed(influence, ci),
        ci === undefined ? '' : `[${ci.map((end) => figure(end, ci)).join(', ')}]`,
        figure(without),
      ]),
    ),
  );
  if (grid !== undefined && regions !== undefined) {
    print(`\nInfluence of each region, hidden with ${grid.fill}:\n`);
    const rows = Array.from({ length: grid.rows }, (_, row) =>
      regions.filter((region) => region.row === row),
    );
    print(
      rows.map((row) => row.map(({ influence }) => ` ${signed(influence).padStart(9)}`).join('')).join('\n'),
    );
  }
  if (objects !== undefined) {
    print(`\nInfluence of each object, hidden with ${objects.fill}${leftOutOf(objects)}:\n`);
    print(
      table(
        ['object', 'influence', 'share of the image'],
        objects.found.map(({ name, influence, share }) => [name, signed(influence), shareText(share)]),
      ),
    );
  }
  if (change === undefined) return;
  print(`\n${change.other}\nscore ${figure(change.otherScore)}, difference ${signed(change.difference)}\n`);
  print(
    table(
      ['from', 'to', 'influence'],
      change.changes.map(({ from, to, influence, ci }) => [from || '–', to || '–', signed(influence, ci)]),
    ),
  );
}
