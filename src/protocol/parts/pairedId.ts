/** The id of a report's metric in comparisons of rows. SugarCrepe's id there lacks the name of the dataset file. */
export function pairedId(id: string): string {
  return /^sugarcrepe\.[^.]+$/.test(id) ? 'sugarcrepe' : id;
}
