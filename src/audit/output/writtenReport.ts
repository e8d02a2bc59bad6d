import type { Report } from '../../report/report';

export interface WrittenReport {
  path: string;
  report: Report;
}
