/* Recognises Open Images' own tables, none of which has captions. The titles in its list of images are no captions. */
import { say, type Words } from '../../base/say';

const tables: readonly { needs: readonly string[]; what: Words }[] = [
  { needs: ['ImageID', 'Subset', 'OriginalURL'], what: say('dataset.openImagesList') },
  { needs: ['image_name', 'image_url'], what: say('dataset.openImagesList') },
  {
    needs: ['ImageID', 'LabelName1', 'LabelName2', 'RelationshipLabel'],
    what: say('dataset.openImagesRelationships'),
  },
  { needs: ['ImageID', 'LabelName', 'XMin', 'XMax', 'YMin', 'YMax'], what: say('dataset.openImagesBoxes') },
  { needs: ['MaskPath', 'ImageID', 'LabelName'], what: say('dataset.openImagesMasks') },
  { needs: ['ImageID', 'Source', 'LabelName', 'Confidence'], what: say('dataset.openImagesLabels') },
  { needs: ['ImageID', 'X', 'Y', 'Label', 'EstimatedYesNo'], what: say('dataset.openImagesPointLabels') },
  { needs: ['LabelName', 'DisplayName'], what: say('dataset.openImagesClasses') },
];

/** An id of a class, such as `/m/011k07`, which begins the first line of a list of classes without a head. */
const classId = /^\/[mgt]\/\w+$/;

/** What the table with these columns is in Open Images; undefined if it is none of its tables. */
export function openImagesTable(columns: readonly string[]): Words | undefined {
  if (columns.length === 2 && classId.test(columns[0])) return say('dataset.openImagesClasses');
  return tables.find(({ needs }) => needs.every((name) => columns.includes(name)))?.what;
}
