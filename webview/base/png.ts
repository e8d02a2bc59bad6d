import { columns } from '../../src/chart/svg';
import { withResolution } from './resolution';

/** A resolution for print. */
const usualDotsPerInch = 600;

/** A figure that is one column wide, as PNG for papers that cannot use vectors. */
export async function svgAsPng(
  svg: string,
  dotsPerInch = usualDotsPerInch,
): Promise<Uint8Array<ArrayBuffer>> {
  const url = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = Math.round((columns.single.millimetres / 25.4) * dotsPerInch);
    canvas.height = Math.round((canvas.width * image.naturalHeight) / image.naturalWidth);
    canvas.getContext('2d')!.drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
    if (blob === null) throw new Error('The chart could not be saved as an image.');
    return withResolution(new Uint8Array(await blob.arrayBuffer()), dotsPerInch);
  } finally {
    URL.revokeObjectURL(url);
  }
}

/** The clipboard accepts the image only soon after the click, so it gets a promise. */
export async function copyImage(bytes: Promise<Uint8Array<ArrayBuffer>>): Promise<void> {
  const type = 'image/png';
  const blob = bytes.then((content) => new Blob([content], { type }));
  await navigator.clipboard.write([new ClipboardItem({ [type]: blob })]);
}
