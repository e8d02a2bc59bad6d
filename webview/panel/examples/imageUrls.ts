import { CaptiousError } from '../../../src/base/errors';
import type { Code } from '../../../src/base/say';
import { el } from '../../base/dom';
import { ask } from '../../base/rows';
import { localized, t } from '../../base/words';

const kept = 300;

/** Puts an image into a box, or its words if it cannot be read. */
export async function showIn(box: HTMLElement, image: Promise<string | null>, words: string): Promise<void> {
  const url = await image;
  box.append(url === null ? words : Object.assign(el('img'), { alt: words, src: url }));
}

/** Requests images. Keeps the newest URLs, so that their images are not requested again. */
export class ImageUrls {
  /** False in Restricted Mode. */
  areOpened = true;
  private readonly known = new Map<string, Promise<string | null>>();
  private readonly reasons = new Map<string, string>();

  /** The URL of an image; null if it cannot be read. `changed` is the row whose change is applied to the image. */
  url(report: string, name: string, side: number, changed?: number): Promise<string | null> {
    const key = JSON.stringify([report, name, side, changed]);
    let url = this.known.get(key);
    if (url === undefined) {
      url = ask('image', { report, name, side, changed }).then(
        (bytes) => URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })),
        (error: unknown) => {
          this.reasons.set(JSON.stringify([report, name]), reasonOf(error));
          return null;
        },
      );
      this.known.set(key, url);
      this.forgetOldest();
    }
    return url;
  }

  /** Why an image has no URL. */
  why(report: string, name: string): string {
    if (!this.areOpened) return t('not opened in Restricted Mode');
    return this.reasons.get(JSON.stringify([report, name])) ?? t('image not found');
  }

  private forgetOldest(): void {
    for (const [key, url] of this.known) {
      if (this.known.size <= kept) return;
      this.known.delete(key);
      const [report, name] = JSON.parse(key) as [string, string];
      this.reasons.delete(JSON.stringify([report, name]));
      void url.then((made) => {
        if (made !== null) URL.revokeObjectURL(made);
      });
    }
  }
}

/** A name that no file has needs no sentence of its own beside the name. */
function reasonOf(error: unknown): string {
  const missing: Code = 'editor.imageNotFound';
  if (!(error instanceof CaptiousError)) return t('image not found');
  const { what } = error;
  return typeof what !== 'string' && what.code === missing ? t('image not found') : localized(what);
}
