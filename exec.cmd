@rem The npm scripts begin with "exec", so that on Unix no shell stands between npm and Node; cmd has no exec.
@%*
