/** Identifies a model in its storage. */
export interface ModelReference {
  readonly modelId: number;
  readonly modelName: string;
}

/** Makes the URL from which a worker downloads a model. Called when a command is sent, so that a signature is fresh. */
export interface ModelUrlProvider {
  urlFor(model: ModelReference): Promise<string>;
}
