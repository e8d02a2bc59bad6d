import { say } from '../../base/say';
import type { NameFolders } from '../../dataset/images/nameFolders';
import { pathOfName, spellings, withoutEnding } from '../../dataset/images/nameFolders';
import type { PartlyFound } from '../../dataset/images/partlyFound';
import type { RegionSpec } from '../../protocol/native';
import { type FoundRow, ImageNames } from '../embeddings/imageNames';

const ending = '.npy';
const boxesEnding = '.boxes.npy';

/**
 * Finds the files with an image's region features: for `dogs/1.jpg`, `dogs/1.npy` and `dogs/1.boxes.npy`. The rules for
 * images apply if less than this path matches, so `1.npy` is used only if the folders of the images cannot disagree.
 */
export class RegionFiles {
  private readonly rows = new Map<string, number>();
  private readonly ids: string[] = [];
  private readonly paths: ReadonlyMap<string, string>;
  private readonly names: ImageNames;

  constructor(
    files: readonly (readonly [name: string, path: string])[],
    private readonly folders: NameFolders | undefined,
  ) {
    this.paths = new Map(files);
    this.names = new ImageNames(folders, () => false);
    for (const [name] of files) {
      if (name.endsWith(boxesEnding) || !name.endsWith(ending)) continue;
      const id = name.slice(0, -ending.length);
      const row = this.ids.push(id) - 1;
      this.rows.set(id, row);
      this.names.add(id, row);
    }
  }

  /** The images of which less than the whole path matched. */
  get partly(): PartlyFound {
    return this.names.partly;
  }

  knows(image: string): boolean {
    return this.rowOf(image) !== undefined;
  }

  of(image: string): RegionSpec['files'][number] {
    const row = this.rowOf(image);
    if (row === 'ambiguous') return { problem: say('model.severalRegionFiles') };
    if (row === 'shared') return { problem: say('model.regionFileShared') };
    if (row === undefined) return { problem: say('model.noRegionFile') };
    const id = this.ids[row];
    const features = this.paths.get(id + ending)!;
    return {
      features,
      boxes: this.paths.get(id + boxesEnding) ?? features.slice(0, -ending.length) + boxesEnding,
    };
  }

  private rowOf(image: string): FoundRow {
    const own = pathOfName(spellings(image).at(-1)!);
    const exact = this.rows.get([...own.folders, own.file].join('/'));
    if (exact !== undefined) return exact;
    const row = this.rows.get([...own.folders, withoutEnding(own.file)].join('/'));
    if (row === undefined) return this.names.find(image);
    return this.folders?.hasTwin(own) === true ? 'shared' : row;
  }
}
