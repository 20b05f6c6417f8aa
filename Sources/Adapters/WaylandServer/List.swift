import CWlroots

/// The elements of a libwayland list, as a snapshot. The list may change during the iteration, as long as the
/// remaining elements are not freed.
///
/// - Parameter link: the element's link in the list.
public func elements<Element>(
    of list: UnsafeMutablePointer<wl_list>, by link: PartialKeyPath<Element>
) -> [UnsafeMutablePointer<Element>] {
    let offset = MemoryLayout<Element>.offset(of: link)!
    var found: [UnsafeMutablePointer<Element>] = []
    var next = list.pointee.next
    while let each = next, each != list {
        found.append((UnsafeMutableRawPointer(each) - offset).assumingMemoryBound(to: Element.self))
        next = each.pointee.next
    }
    return found
}
