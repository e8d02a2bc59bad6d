import type { SideExample, SideState } from '../../src/protocol/side';
import { button, el } from '../base/dom';
import { whole } from '../base/format';
import { localized, t } from '../base/words';
import { judgeKeys, pressJudge } from '../panel/examples/judging';
import { ImageUrls } from '../panel/examples/imageUrls';
import { listen, post, recalled, remember } from './bridge';
import { exampleParts } from './example';
import { stopFooling } from './fool';
import { WorstList } from './worst';

/** The page of the side panel. It shows the example at the cursor and a list of the file's rows. */
class Side {
  private state: SideState | undefined;
  private readonly root = document.getElementById('side')!;
  private readonly header = el('header');
  private readonly notice = el('div', { role: 'alert' });
  private readonly example = el('section', { class: 'example', 'aria-label': t('Example under the cursor') });
  private readonly spoken = el('p', { class: 'spoken', role: 'status', 'aria-live': 'polite' });
  private readonly steps = el(
    'nav',
    { class: 'steps', 'aria-label': t('Wrong examples') },
    button(t('Previous wrong example'), () => post({ type: 'toMiss', back: true }), { icon: '◀' }),
    button(t('Next wrong example'), () => post({ type: 'toMiss', back: false }), { icon: '▶' }),
  );
  private readonly imageUrls = new ImageUrls();
  private readonly worst = new WorstList(
    (report, index) => post({ type: 'go', report, index }),
    recalled().isListOpen,
    (isListOpen) => remember({ isListOpen }),
  );

  start(): void {
    // The buttons are above the example, so that they stay in place when the example's length changes.
    this.root.append(this.header, this.notice, this.steps, this.example, this.worst.root, this.spoken);
    this.steps.hidden = true;
    this.worst.show([]);
    document.addEventListener('keydown', (event) => this.key(event));
    listen((message) => {
      switch (message.type) {
        case 'state':
          this.showState(message.state);
          return;
        case 'example':
          this.showExample(message.line, message.example);
          return;
        case 'noMiss':
          this.spoken.textContent = message.back
            ? t('There is no wrong example before this line.')
            : t('There is no wrong example after this line.');
          return;
      }
    });
    post({ type: 'ready' });
  }

  private key({ key, ctrlKey, metaKey, altKey, target }: KeyboardEvent): void {
    const isTyping = target instanceof HTMLInputElement || target instanceof HTMLSelectElement;
    if (isTyping || ctrlKey || metaKey || altKey || !Object.hasOwn(judgeKeys, key)) return;
    pressJudge(this.example, judgeKeys[key]);
  }

  private showState(state: SideState): void {
    this.state = state;
    const { reports, problem } = state;
    this.steps.hidden = reports.length === 0;
    this.worst.show(reports);
    if (reports.length === 0) stopFooling();
    this.notice.replaceChildren(
      ...(problem === undefined ? [] : [el('p', { class: 'problem' }, localized(problem))]),
    );
    if (reports.length === 0 && problem === undefined) this.showEmpty(state);
  }

  private showExample(line: number, example: SideExample | null): void {
    const { state } = this;
    stopFooling();
    if (state === undefined || state.reports.length === 0) return;
    this.header.replaceChildren(...this.headerParts(state, example?.line));
    this.worst.mark(example?.entries.at(0)?.detail.line);
    if (example === null) {
      const words = t('Line {0} has no scored example.', whole(line));
      this.example.replaceChildren(el('p', { class: 'quiet' }, words));
      this.spoken.textContent = words;
      return;
    }
    this.example.replaceChildren(...exampleParts(example, state, this.imageUrls));
    const captions = example.entries.flatMap(({ detail }) => detail.captions);
    const misses = captions.filter(({ verdict }) => verdict === 'wrong').length;
    const place = t('line {0}', whole(example.line));
    this.spoken.textContent = [place, captions.at(0)?.text ?? '', t('{0} wrong', misses)].join(', ');
  }

  private headerParts({ reports, probes, probe }: SideState, line: number | undefined): Node[] {
    const evaluators = reports.map(({ evaluator }) => evaluator).join(' ⇄ ');
    return [
      el(
        'h1',
        {},
        ...(probes.length > 1
          ? [choiceOf(probes, probe), ` · ${evaluators}`]
          : [`${reports[0].title} · ${evaluators}`]),
      ),
      el(
        'div',
        { class: 'links' },
        line === undefined
          ? null
          : button(t('line {0}', whole(line)), () => post({ type: 'reveal' }), {
              icon: '↗',
              class: 'link',
              title: t('Go to the line in the editor'),
            }),
        button(t('Open in panel'), () => post({ type: 'openPanel' }), { class: 'link' }),
      ),
    ];
  }

  private showEmpty({ file, isDataset, isAudited, can }: SideState): void {
    this.header.replaceChildren();
    const words =
      file === undefined
        ? t('Open a dataset file. This view shows the example under the cursor.')
        : isAudited
          ? t('An audit of {0} is in progress. This view shows its results when it ends.', file)
          : isDataset || !can.audit
            ? t('{0} has no results.', file)
            : t('{0} has no results. Captious does not read it as a dataset.', file);
    this.example.replaceChildren(
      el('p', {}, words),
      ...(can.audit && !isAudited
        ? [
            button(isDataset ? t('Audit this file') : t('Audit a dataset'), () => post({ type: 'audit' }), {
              class: 'primary',
            }),
          ]
        : []),
      ...(can.images
        ? []
        : [
            el(
              'p',
              { class: 'quiet' },
              t('In Restricted Mode, Captious shows reports, but audits nothing until you trust the folder.'),
            ),
          ]),
    );
    this.spoken.textContent = words;
  }
}

function choiceOf(probes: SideState['probes'], probe: string): HTMLElement {
  const choice = el('select', { 'aria-label': t('Probe') });
  for (const { id, title } of probes) {
    const option = el('option', {}, title);
    option.value = id;
    choice.append(option);
  }
  choice.value = probe;
  choice.addEventListener('change', () => post({ type: 'probe', probe: choice.value }));
  return choice;
}

new Side().start();
