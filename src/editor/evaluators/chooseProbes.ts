import * as vscode from 'vscode';
import { CaptiousError } from '../../base/errors';
import { say } from '../../base/say';
import type { DatasetPreview } from '../../protocol/service';
import { naturalProbe } from '../../service/naturalProbe';
import { known, localized } from '../messages';
import { type PickRow, pickSome, separator } from '../notify';

interface ProbeRow extends PickRow {
  id?: string;
}

/**
 * The rows of the picker: the probes that can run, then the others with what is missing. The probe that the file
 * suggests is preselected, or else those of the last audit. A probe whose images are missing never is.
 */
export function probeRows(preview: DatasetPreview, last: readonly string[]): ProbeRow[] {
  const ready = preview.probes.filter((probe) => probe.ready);
  const remembered = ready.filter(({ id }) => last.includes(id));
  const own = naturalProbe(preview);
  const picked = own.natural || remembered.length === 0 ? [own] : remembered;
  const without = preview.probes.filter((probe) => !probe.ready);
  const others = [
    ...without.map(({ title }) => ({ title, why: vscode.l10n.t('needs images, which were not found') })),
    ...preview.others,
  ];
  return [
    ...ready.map((probe) => ({
      label: probe.title,
      detail: known(probe.question),
      id: probe.id,
      picked: picked.includes(probe),
    })),
    ...(others.length === 0 ? [] : [separator(vscode.l10n.t('Not possible with this dataset'))]),
    ...others.map(({ title, why }) => ({ label: title, description: localized(why), isUnusable: true })),
  ];
}

/**
 * Lets the user choose probes. `images` means that the user first wants to choose the folder of the images. Returns
 * undefined if the user cancels.
 */
export async function chooseProbes(
  preview: DatasetPreview,
  last: readonly string[],
): Promise<string[] | 'images' | undefined> {
  if (preview.probes.length === 0)
    throw new CaptiousError(
      'input',
      vscode.l10n.t('No probe works with this file. Captious reads it as: {0}.', preview.format),
    );
  const areMissing = preview.probes.some((probe) => !probe.ready);
  if (areMissing && preview.probes.every((probe) => !probe.ready)) return 'images';
  const { examples, captions } = preview;
  const size =
    captions !== undefined
      ? say('base.aboutCaptions', captions.toLocaleString())
      : examples && say('base.aboutExamples', examples.toLocaleString());
  const count = size ? `, ${localized(size)}` : '';
  const picks = await pickSome(probeRows(preview, last), {
    title: vscode.l10n.t('Select probes'),
    placeHolder: `${vscode.l10n.t('Format: {0}', localized(preview.readsAs))}${count}`,
    buttons: areMissing
      ? [{ action: 'images', icon: 'folder-opened', title: vscode.l10n.t('Select image folder…') }]
      : [],
  });
  if (picks?.action !== undefined) return 'images';
  const chosen = picks?.chosen.flatMap(({ id }) => id ?? []) ?? [];
  return chosen.length === 0 ? undefined : chosen;
}
