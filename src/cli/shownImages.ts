import { english } from '../base/english';
import { type PartlyFound, partlyWords } from '../dataset/images/partlyFound';
import { ReportImages } from '../service/images/reportImages';
import { repeated, type Values } from './arguments';
import { log } from './terminal';

/** Says how many images were found by less than the whole path of their names, if any were. */
export function logPartly(partly: PartlyFound | undefined): void {
  if (partly !== undefined) log(english(partlyWords(partly)));
}

/** Runs an export with the images of `--images`, or without images if the option is absent. */
export async function withImages<T>(
  values: Values,
  work: (images: ReportImages | undefined) => Promise<T>,
): Promise<T> {
  const folders = repeated(values, 'images');
  if (folders.length === 0) return work(undefined);
  const images = new ReportImages(() => folders, { own: [], workspace: [process.cwd()] });
  try {
    return await work(images);
  } finally {
    if (images.missing > 0) log(`${images.missing} images were not found or not readable.`);
    await images.close();
  }
}
