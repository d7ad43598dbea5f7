#ifdef __cplusplus
/* The channel format of a scalar or vector type; a type without one has no channels. */
template <class T> inline struct cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
    return cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<char>(void)
{
    return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<signed char>(void)
{
    return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<char1>(void)
{
    return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<char2>(void)
{
    return cudaCreateChannelDesc(8, 8, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<char4>(void)
{
    return cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<unsigned char>(void)
{
    return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<uchar1>(void)
{
    return cudaCreateChannelDesc(8, 0, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<uchar2>(void)
{
    return cudaCreateChannelDesc(8, 8, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<uchar4>(void)
{
    return cudaCreateChannelDesc(8, 8, 8, 8, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<short>(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<short1>(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<short2>(void)
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<short4>(void)
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<unsigned short>(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<ushort1>(void)
{
    return cudaCreateChannelDesc(16, 0, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<ushort2>(void)
{
    return cudaCreateChannelDesc(16, 16, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<ushort4>(void)
{
    return cudaCreateChannelDesc(16, 16, 16, 16, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<int>(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<int1>(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<int2>(void)
{
    return cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<int4>(void)
{
    return cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindSigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<unsigned int>(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<uint1>(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<uint2>(void)
{
    return cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<uint4>(void)
{
    return cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindUnsigned);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<float>(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<float1>(void)
{
    return cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<float2>(void)
{
    return cudaCreateChannelDesc(32, 32, 0, 0, cudaChannelFormatKindFloat);
}
template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<float4>(void)
{
    return cudaCreateChannelDesc(32, 32, 32, 32, cudaChannelFormatKindFloat);
}
#endif
