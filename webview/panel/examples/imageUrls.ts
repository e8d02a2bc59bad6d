import { el } from '../../base/dom';
import { ask } from '../../base/rows';
import { t } from '../../base/words';

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

  /** The URL of an image; null if it cannot be read. `changed` is the row whose change is applied to the image. */
  url(report: string, name: string, side: number, changed?: number): Promise<string | null> {
    const key = JSON.stringify([report, name, side, changed]);
    let url = this.known.get(key);
    if (url === undefined) {
      url = ask('image', { report, name, side, changed }).then(
        (bytes) => URL.createObjectURL(new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' })),
        () => null,
      );
      this.known.set(key, url);
      this.forgetOldest();
    }
    return url;
  }

  /** Why an image has no URL. */
  get why(): string {
    return this.areOpened ? t('image not found') : t('not opened in Restricted Mode');
  }

  private forgetOldest(): void {
    for (const [key, url] of this.known) {
      if (this.known.size <= kept) return;
      this.known.delete(key);
      void url.then((made) => {
        if (made !== null) URL.revokeObjectURL(made);
      });
    }
  }
}
