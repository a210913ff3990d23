/** The processes of the cluster, as the registry knows them. It may consider a live one dead. */
export class MemberList {
  private readonly present = new Set<string>();
  /** Processes that are considered dead. */
  private readonly suspected = new Set<string>();

  constructor(private readonly onChanged: () => void) {}

  get listed(): readonly string[] {
    return [...this.present].filter((id) => !this.suspected.has(id));
  }

  add(id: string): void {
    this.present.add(id);
    this.onChanged();
  }

  remove(id: string): void {
    if (this.present.delete(id)) this.onChanged();
  }

  suspect(id: string): void {
    this.suspected.add(id);
    if (this.present.has(id)) this.onChanged();
  }

  trust(id: string): void {
    if (this.suspected.delete(id)) this.onChanged();
  }
}
