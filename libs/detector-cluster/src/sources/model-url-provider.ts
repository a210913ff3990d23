/** Identifies a model in its storage. */
export interface ModelReference {
  readonly modelId: number;
  readonly modelName: string;
  /** The wanted version of its file, if that is not the one in the storage by now: some cameras keep it while others try a new one. */
  readonly version?: string;
}

/** Where workers download a model, and which file that is. */
export interface ModelFile {
  readonly url: string;
  /**
   * Identifies the file: 1 to 128 printable characters, e.g. an ETag, a hash, or the name of the file. When it changes, each worker that
   * runs the model gets the new one. It must stay the same while the file does.
   */
  readonly version?: string | undefined;
  /** Of the file, in bytes. The worker refuses a file of another size. */
  readonly size?: number | undefined;
  /** Of the file, 64 hexadecimal digits in lower case. The worker refuses a file with another one. */
  readonly sha256?: string | undefined;
}

/**
 * Tells from where workers download a model: a URL, or a URL with the version of the file. The master asks when it sends a command, so
 * that a signature is fresh, and for the version whenever it reads the desired state. If the reference has a version, the answer is the
 * file of that version; a provider that does not have it any more answers with the present file and its version.
 */
export interface ModelUrlProvider {
  urlFor(model: ModelReference): Promise<string | ModelFile>;
}
