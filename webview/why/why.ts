import { messageOf } from '../../src/base/errors';
import type { Explained, ExplainedPart } from '../../src/protocol/explained';
import type { Detail, RowAsk } from '../../src/protocol/rows';
import { button, el } from '../base/dom';
import { ask } from '../base/rows';
import { localized, t } from '../base/words';
import type { ImageUrls } from '../panel/examples/imageUrls';
import { choiceOf } from '../base/choices';
import { MapView, numberOf } from './map';
import {
  captionsToExplain,
  differences,
  partsOf,
  partValues,
  strengthOf,
  strongestOf,
  wordsAt,
  withOriginal,
} from './shades';
import { changesOf, numbersOf } from './tables';
import { toolsOf, type WhyActions } from './tools';
import { WordsView } from './words';

const imageSide = 512;
/** The strength of maps, kept while the page is open. */
const strength = { value: 65 };
/** Stops the explanation in progress. A page has at most one. */
let running = new AbortController();
/** The latest explanations, because a page draws an example again when its layout changes. */
const recent = new Map<string, Why>();
const mostRecent = 8;

/** A word of one of the captions, or a region, that the user points at or has focused. */
type Looked = { side: number; word: number } | { cell: number } | undefined;

/** Explains the scores of a caption and of the caption that it is compared with, once the user asks for it. */
export function whyView(
  report: { key: string; evaluator?: string },
  detail: Detail,
  images: ImageUrls,
  actions: WhyActions,
): HTMLElement | null {
  const key = JSON.stringify([report, detail]);
  const same = recent.get(key);
  if (same !== undefined) return same.root;
  running.abort();
  if (detail.captions.length === 0 || detail.crossed !== undefined) return null;
  const why = new Why(report, detail, images, actions);
  recent.set(key, why);
  for (const oldest of recent.keys()) if (recent.size > mostRecent) recent.delete(oldest);
  return why.root;
}

class Why {
  readonly root = el('section', { class: 'why', 'aria-label': t('Why this score?') });
  private texts: string[];
  private answers: (Explained | undefined)[] = [];
  private words: (WordsView | undefined)[] = [];
  private map: MapView | undefined;
  /** Which influences the map shows if the user points at nothing: of a caption, or on the difference. */
  private shown: '0' | '1' | 'difference' = '0';
  /** What the map hides. Kept for the next explanation of this example. */
  private over: 'grid' | 'objects' = 'grid';
  private readonly start = button(t('Explain'), () => void this.toggle(), { class: 'explain' });
  private readonly status = el('span', { class: 'quiet', role: 'status' });
  private readonly captions = el('div', { class: 'why-captions' });
  private readonly changes = el('div', { class: 'why-changes' });
  private readonly image = el('div', {});
  private readonly rest = el('div', { class: 'why-rest' });

  constructor(
    private readonly report: { key: string; evaluator?: string },
    private readonly detail: Detail,
    private readonly images: ImageUrls,
    private readonly actions: WhyActions,
  ) {
    this.texts = captionsToExplain(detail.captions);
    const named = report.evaluator === undefined ? null : el('span', { class: 'quiet' }, report.evaluator);
    const head = [el('h3', {}, t('Why this score?')), named, this.captionChoice(), this.start, this.status];
    this.root.append(
      el('div', { class: 'why-head' }, ...head),
      this.captions,
      this.changes,
      this.image,
      this.rest,
    );
  }

  /** Chooses which variant is explained, if there are several. */
  private captionChoice(): HTMLElement | null {
    const { captions } = this.detail;
    const variants = captions.filter(({ against }) => against !== undefined);
    if (variants.length < 2) return null;
    const options = variants.map(({ text, label }) => [text, `${localized(label)}: ${text}`] as const);
    return choiceOf(t('Caption to explain'), options, this.texts.at(-1), (text) => {
      const chosen = variants.find((variant) => variant.text === text);
      if (chosen !== undefined) this.texts = withOriginal(chosen, captions);
      if (this.answers.length > 0) void this.explain();
    });
  }

  private async toggle(): Promise<void> {
    if (this.isRunning) running.abort();
    else await this.explain();
  }

  private isRunning = false;

  private async explain(): Promise<void> {
    running.abort();
    const { signal } = (running = new AbortController());
    [this.answers, this.words, this.map, this.shown] = [[], [], undefined, '0'];
    for (const part of [this.captions, this.changes, this.image, this.rest]) part.replaceChildren();
    await this.inProgress(signal, async () => {
      await this.answerAll('first', t('Scoring words …'), signal);
      if (this.answers[0]?.against !== undefined)
        return this.answerAll('words', t('Scoring words …'), signal);
      // Shapley values take longest, so the map does not wait for them.
      await this.answerAll('map', t('Scoring regions …'), signal);
      await this.answerAll('regions', t('Scoring words …'), signal);
    });
  }

  /** Scores each word with each region hidden, for an evaluator for which this takes long. */
  private async measureTable(): Promise<void> {
    running.abort();
    const { signal } = (running = new AbortController());
    await this.inProgress(signal, () => this.answerAll('table', t('Scoring words and regions …'), signal));
  }

  /** Hides objects instead of the regions of a grid, or the other way round. The words remain. */
  private async hide(over: 'grid' | 'objects'): Promise<void> {
    running.abort();
    const { signal } = (running = new AbortController());
    [this.over, this.map] = [over, undefined];
    const what = over === 'objects' ? t('Scoring objects …') : t('Scoring regions …');
    await this.inProgress(signal, () => this.answerAll('regions', what, signal));
  }

  private async inProgress(signal: AbortSignal, work: () => Promise<void>): Promise<void> {
    this.isRunning = true;
    this.start.textContent = t('Cancel');
    try {
      await work();
      this.status.textContent = '';
    } catch (error) {
      this.status.textContent = signal.aborted ? t('Cancelled.') : '';
      if (!signal.aborted) this.rest.replaceChildren(el('p', { class: 'problem' }, messageOf(error)));
    }
    // A newer explanation of this example has its own end.
    if (signal !== running.signal && !running.signal.aborted) return;
    this.isRunning = false;
    this.start.textContent = t('Explain');
    this.showRest();
  }

  private askOf(side: number, depth: RowAsk<'why'>['depth']): RowAsk<'why'> {
    const { image, cropped, index } = this.detail;
    return {
      ...{ report: this.report.key, text: this.texts[side], depth, over: this.over },
      ...(this.texts.length > 1 ? { other: this.texts[1 - side] } : {}),
      ...(image === undefined ? {} : { image }),
      ...(cropped === true ? { crop: index } : {}),
    };
  }

  private async answerAll(depth: RowAsk<'why'>['depth'], what: string, signal: AbortSignal): Promise<void> {
    this.status.textContent = what;
    for (const side of this.texts.keys()) await this.answer(side, depth, signal);
  }

  private async answer(side: number, depth: RowAsk<'why'>['depth'], signal: AbortSignal): Promise<void> {
    const answer = await ask('why', this.askOf(side, depth), { signal });
    signal.throwIfAborted();
    this.answers[side] = answer;
    const known = this.words[side];
    if (known !== undefined) known.update(answer);
    else {
      const title = side === 0 && this.texts.length > 1 ? t('caption') : t('compared caption');
      const view = new WordsView(answer, this.texts.length > 1 ? title : t('caption'), (word) =>
        this.look(word === undefined ? undefined : { side, word }),
      );
      this.words[side] = view;
      this.captions.append(view.root);
    }
    const changes = side === 0 ? changesOf(answer) : null;
    if (changes !== null) this.changes.replaceChildren(changes);
    this.showMap(side);
    this.look(undefined);
  }

  private showMap(side: number): void {
    const answer = this.answers[side];
    const layout = answer?.objects ?? (answer?.regions && answer.grid);
    if (side !== 0 || layout === undefined || this.map !== undefined) return;
    const { image = '', cropped, index } = this.detail;
    const url = this.images.url(this.report.key, image, imageSide, cropped === true ? index : undefined);
    this.map = new MapView(layout, url, image, strength, (cell) =>
      this.look(cell === undefined ? undefined : { cell }),
    );
    this.image.replaceChildren(
      ...[this.mapChoice(), this.partChoice(), this.map.root].filter((part) => part !== null),
    );
  }

  /** Chooses what is hidden in the image, if the outlines of objects are known. */
  private partChoice(): HTMLElement | null {
    if (this.answers[0]?.hasOutlines !== true) return null;
    const options = [['grid', t('Regions')] as const, ['objects', t('Objects')] as const];
    return choiceOf(t('What is hidden'), options, this.over, (over) => void this.hide(over));
  }

  /** Chooses what the map is about, if there are two captions. */
  private mapChoice(): HTMLElement | null {
    if (this.texts.length < 2) return null;
    const options = [
      ['0', t('Map of the caption')] as const,
      ['1', t('Map of the compared caption')] as const,
      ['difference', t('Map of the difference')] as const,
    ];
    return choiceOf(t('What the map shows'), options, this.shown, (shown) => {
      this.shown = shown;
      this.look(undefined);
    });
  }

  /** Shows the regions of a word, the words of a region, or the influences on the scores. */
  private look(looked: Looked): void {
    const cell = looked !== undefined && 'cell' in looked ? looked.cell : undefined;
    const ofCell = this.answers.map((answer) =>
      answer && cell !== undefined ? wordsAt(answer, cell) : undefined,
    );
    const isOfCell = ofCell.some((values) => values !== undefined);
    const values = this.words.map((view, side) => (isOfCell ? ofCell[side] : view?.values) ?? []);
    const strongest = strengthOf(values.flat());
    for (const [side, view] of this.words.entries()) view?.show(values[side], strongest);
    if (this.map === undefined) return;
    if (looked !== undefined && 'word' in looked && this.showRegionsOf(looked.side, looked.word)) return;
    const all = this.partsShown();
    this.map.showAll(partValues(all), this.shown === 'difference');
    if (cell === undefined) return;
    const place = `${this.map.placeOf(cell)}: ${numberOf(all[cell]?.influence)}`;
    const strongestWord = strongestOf(values[0]);
    const word = strongestWord === undefined ? undefined : this.answers[0]?.words[strongestWord].word;
    this.map.say(
      isOfCell && word !== undefined
        ? this.map.isOfObjects
          ? t('{0}. The words show what this object adds to them, most to “{1}”.', place, word)
          : t('{0}. The words show what this region adds to them, most to “{1}”.', place, word)
        : place,
    );
  }

  private showRegionsOf(side: number, word: number): boolean {
    const answer = this.answers[side];
    const parts = (answer && partsOf(answer)) ?? [];
    if (answer === undefined || !parts.some((part) => part.words !== undefined)) return false;
    const name = answer.words[word].word;
    const what =
      answer.objects === undefined
        ? t('Influence of each region on “{0}”', name)
        : t('Influence of each object on “{0}”', name);
    this.map?.show(partValues(parts, word), what);
    return true;
  }

  private partsShown(): readonly ExplainedPart[] {
    const [first, second] = this.answers.map((answer) => (answer && partsOf(answer)) ?? []);
    if (this.shown !== 'difference') return (this.shown === '0' ? first : second) ?? [];
    return differences(first ?? [], second ?? []);
  }

  private showRest(): void {
    const problem = this.rest.querySelector('.problem');
    const known = this.answers.filter((answer) => answer !== undefined);
    if (known.length === 0) return;
    const isMeasured = known.some((answer) => partsOf(answer)?.some(({ words }) => words !== undefined));
    const tables = known.flatMap((answer) => numbersOf(answer, this.map));
    this.rest.replaceChildren(
      ...(problem === null ? [] : [problem]),
      ...(this.map === undefined || isMeasured
        ? []
        : [button(t('Measure regions for each word'), () => void this.measureTable())]),
      ...(this.detail.change === undefined || this.map === undefined
        ? []
        : [el('p', { class: 'quiet' }, t('The original image is explained.'))]),
      el('details', {}, el('summary', {}, t('Numbers')), ...tables),
      toolsOf(this.actions, this.status, (to) => this.file(to)),
    );
  }

  /** The explanation of the caption that the map shows, as a file. Its scores are in the store. */
  private file(to: 'svg' | 'tex' | 'pdf'): Promise<Explained> {
    const side = this.shown === '1' ? 1 : 0;
    const depth = this.map === undefined ? 'words' : 'regions';
    return ask('why', { ...this.askOf(side, depth), to });
  }
}
