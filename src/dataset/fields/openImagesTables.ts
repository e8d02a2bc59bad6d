/* Recognises Open Images' own tables, none of which has captions. The titles in its list of images are no captions. */
import { say, type Words } from '../../base/say';

const tables: readonly { needs: readonly string[]; what: Words }[] = [
  { needs: ['ImageID', 'Subset', 'OriginalURL'], what: say`list of images` },
  { needs: ['image_name', 'image_url'], what: say`list of images` },
  { needs: ['ImageID', 'LabelName1', 'LabelName2', 'RelationshipLabel'], what: say`table of relationships` },
  { needs: ['ImageID', 'LabelName', 'XMin', 'XMax', 'YMin', 'YMax'], what: say`table of boxes` },
  { needs: ['MaskPath', 'ImageID', 'LabelName'], what: say`table of masks` },
  { needs: ['ImageID', 'Source', 'LabelName', 'Confidence'], what: say`table of image labels` },
  { needs: ['ImageID', 'X', 'Y', 'Label', 'EstimatedYesNo'], what: say`table of point labels` },
  { needs: ['LabelName', 'DisplayName'], what: say`list of classes` },
];

/** An id of a class, such as `/m/011k07`, which begins the first line of a list of classes without a head. */
const classId = /^\/[mgt]\/\w+$/;

/** What the table with these columns is in Open Images; undefined if it is none of its tables. */
export function openImagesTable(columns: readonly string[]): Words | undefined {
  if (columns.length === 2 && classId.test(columns[0])) return say`list of classes`;
  return tables.find(({ needs }) => needs.every((name) => columns.includes(name)))?.what;
}
